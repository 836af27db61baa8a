"""An example of a bot. It needs Python, and nothing of ours.

millebornes play --bot "cmd:python3 example_bot.py"
"""

import json
import sys

MILES = {"25": 25, "50": 50, "75": 75, "100": 100, "200": 200}
SAFETIES = {"ACE": "ACC", "TANK": "OUT", "PROOF": "FLAT", "ROW": "STOP"}
REMEDIES = ("ROLL", "REP", "GAS", "SPARE", "EOL")


def worth(move, table):
    """How good a move is: the best is made."""
    hand = table["hand"]
    own = hand["sides"][table["you"] % len(hand["sides"])]
    if move.endswith("!"):  # a coup fourré
        return 1000
    if move in ("-", "ext", "end"):
        return 1 if move == "end" else 0
    if move.startswith("x"):
        return -keep(move[1:], own, hand)
    card, _, target = move.partition(">")
    if target:  # an attack: on the side that is furthest ahead
        return 300 + hand["sides"][int(target)]["miles"] / 10
    if card in MILES:
        completes = own["miles"] + MILES[card] == hand["trip"]
        return 900 if completes else 200 + MILES[card] / 10
    if card in SAFETIES:  # kept for a coup fourré, unless it helps now or time runs out
        cures = own["hazard"] == SAFETIES[card] or (card == "ROW" and own["limited"])
        return 500 if cures or hand["pile"] < 4 * table["players"] else -50
    return 400 if card in REMEDIES else 100


def keep(card, own, hand):
    """How much a card is worth keeping."""
    if card in MILES:
        return 0 if own["miles"] + MILES[card] > hand["trip"] else 10 + MILES[card] / 10
    if card in SAFETIES:
        return 500
    return 15 if hand["cards"].count(card) == 1 else 5


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": 1}
    elif message["type"] == "choose":
        table = message["table"]
        move = max(table["hand"]["legal_moves"], key=lambda one: worth(one, table))
        answer = {"type": "move", "id": message["id"], "move": move}
    else:  # "bye", or something that a later version says
        continue
    print(json.dumps(answer), flush=True)
