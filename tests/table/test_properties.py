"""What holds at every table, whatever anybody does."""

from collections import Counter

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.rules import Card
from millebornes.table import Driver, In, inputs
from millebornes.table import messages_in as says
from millebornes.table.table import GRACE, Person
from tests import strategies

from .driven_table import QUICK, DrivenTable, replayed, table_settings
from .random_inputs import GUESTS, RandomInputs

SEEDS = st.integers(0, 2**32 - 1)


@st.composite
def sittings(draw: st.DrawFn) -> DrivenTable:
    edition, players = draw(strategies.tables())
    short = players in edition.short_trip_at and draw(st.booleans())
    practice = draw(st.booleans())
    return DrivenTable(
        table_settings(
            edition,
            players,
            short_trip=short,
            clock=draw(st.sampled_from([None, 5000, 60_000])),
            window=draw(st.sampled_from([1000, 4000])),
            bot_window=draw(st.sampled_from([0, 800])),
            practice=practice,
            seed=draw(st.text(max_size=4)) if practice else None,
        )
    )


def cards_of(driven: DrivenTable) -> Counter[Card]:
    match = driven.table.match
    assert match is not None
    hand = match.hand
    assert hand is not None
    cards = Counter(hand.pile)
    cards.update(hand.discard)
    for held in hand.hands:
        cards.update(held)
    for tableau in hand.tableaux:
        for pile in (tableau.battle, tableau.speed, tableau.distance, tableau.safeties):
            cards.update(pile)
        if tableau.autoroute is not None:
            cards[Card.AUTO] += 1
    return cards


def check_table(driven: DrivenTable) -> None:
    """What must hold after every input."""
    table = driven.table
    assert table.seq == len(driven.log)
    numbers = [member.number for member in table.members]
    assert numbers == list(range(len(numbers)))
    seated = [table.seat_of(number) for number in numbers]
    assert len([seat for seat in seated if seat is not None]) == len(table.people())
    if table.phase == "lobby" and any(member.connected for member in table.members):
        host = table.members[table.host]
        assert host.connected or host.gone_since is not None, "the table has no host"
    if table.match is not None and table.match.hand is not None:
        settings = table.settings
        assert cards_of(driven) == Counter(settings.edition.deck(settings.players))
    if table.phase != "closed":
        assert table.deadline is not None
        check_time_goes_on(driven)


def check_time_goes_on(driven: DrivenTable) -> None:
    """Deadlines that have passed are done with after a few ticks: no driver runs in circles."""
    probe = DrivenTable(driven.table.settings)
    probe.table, probe.now = driven.table, driven.now
    for _ in range(12):
        if probe.table.deadline is None or probe.table.deadline > probe.now:
            return
        probe.tick()
    raise AssertionError("time stands still")


def codec_check(driven: DrivenTable) -> None:
    """Every accepted input can be logged and read again."""
    for guest, message, _ in driven.log:
        if "\ud800" in str(message):  # no message from outside can hold half a character
            continue
        kind = Driver if guest is None else In
        assert msgspec.json.decode(msgspec.json.encode(message), type=kind) == message


@given(driven=sittings(), seed=SEEDS)
@settings(max_examples=40)
def test_whatever_is_put_in_the_table_stands_and_its_log_gives_it_again(
    driven: DrivenTable, seed: int
) -> None:
    crowd = RandomInputs(seed)
    for _ in range(90):
        decision, seq = driven.table.decision, driven.table.seq
        crowd.act(driven)
        check_table(driven)
        assert driven.table.decision >= decision
        assert driven.table.seq >= seq
    codec_check(driven)
    again = replayed(driven)
    assert again.table == driven.table
    for guest in (*GUESTS, None):
        frames = driven.frames(guest)
        assert frames == again.frames(guest)
        assert [msgspec.json.decode(frame)["seq"] for frame in frames] == list(
            range(1, len(driven.log) + 1)
        )


@given(driven=sittings(), seed=SEEDS)
@settings(max_examples=30)
def test_a_table_never_hangs_while_its_driver_does_its_part(driven: DrivenTable, seed: int) -> None:
    crowd = RandomInputs(seed)
    for _ in range(40):
        crowd.act(driven)
    if driven.table.phase == "lobby":
        crowd.fill(driven)
    if driven.table.phase != "playing":
        return
    before = driven.table.decision
    for _ in range(60):
        if driven.table.phase == "playing":
            driven.play_on()
    assert driven.table.decision > before or driven.table.phase != "playing"


@given(seed=SEEDS, players=st.sampled_from([2, 3, 4]), people=st.integers(1, 4))
@settings(max_examples=30)
def test_a_rematch_that_somebody_here_wants_never_hangs(
    seed: int, players: int, people: int
) -> None:
    driven = DrivenTable(table_settings(QUICK, players)).join(*GUESTS[: min(people, players)])
    crowd = RandomInputs(seed)
    crowd.fill(driven)
    driven.play_to_the_end()
    for _ in range(12):
        crowd.act(driven)
    check_table(driven)
    if driven.table.phase != "over":
        return
    table = driven.table
    seated = [table.members[one.member] for one in table.seats if isinstance(one, Person)]
    here = crowd.rng.choice(seated)
    driven.put(None, inputs.Arrived(here.guest))
    for member in crowd.rng.sample(seated, len(seated)):
        # Nobody sits there and says nothing: for them a table would wait.
        if member is here or crowd.rng.random() < 0.3:
            driven.put(member.guest, says.Rematch())
        elif crowd.rng.random() < 0.7:
            driven.put(None, inputs.Gone(member.guest))
        else:
            driven.put(member.guest, says.Leave())
    driven.wait(GRACE)
    assert driven.phase() == "playing"
