"""The server is killed at arbitrary moments: no acknowledged input is lost."""

from .kill import kill_servers


def test_no_acknowledged_input_is_lost_when_the_server_is_killed_fifty_times() -> None:
    result = kill_servers(50, seed=1954)
    assert result.faults == ()
    assert result.kills == 50
    assert result.kills_after_words > 5
    assert result.acknowledged > 1000
    assert result.frames > 2000
