"""French words before a vowel."""

import pytest

from millebornes.rules import Reason
from millebornes.words import words
from millebornes.words.elision import elided


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Zoé", "Au tour de Zoé."),
        ("Inès", "Au tour d'Inès."),
        ("élodie", "Au tour d'élodie."),
        ("E\u0301lodie", "Au tour d'E\u0301lodie."),
        ("Œdipe", "Au tour d'Œdipe."),
        ("Hélène", "Au tour d'Hélène."),
        ("Yves", "Au tour d'Yves."),
        ("Yann", "Au tour de Yann."),
        ("3CV", "Au tour de 3CV."),
        ("11", "Au tour de 11."),
        ("🚗 Ada", "Au tour de 🚗 Ada."),
        ("李", "Au tour de 李."),
        ("", "Au tour de ."),
    ],
)
def test_a_name_decides_whether_the_word_before_it_is_shortened(name: str, said: str) -> None:
    template = words("fr").data["web"]["table"]["turn_of"]
    assert elided(template, {"name": name}).format(name=name) == said


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("Que {name} joue !", "Qu'Ada joue !"),
        ("lorsque {name} joue", "lorsqu'Ada joue"),
        ("La {name}, le {name}", "L'Ada, l'Ada"),
        ("à {name}, pour {name}, une {name}", "à Ada, pour Ada, une Ada"),
        ("édile {name}, grande {name}", "édile Ada, grande Ada"),
        ("de « {name} »", "de « Ada »"),
        ("de {other}", "de {other}"),
    ],
)
def test_only_words_that_can_be_shortened_are(template: str, said: str) -> None:
    shown = elided(template, {"name": "Ada"})
    assert shown.replace("{name}", "Ada") == said


def test_sentences_are_elided_in_french_only() -> None:
    reason = Reason.of("window_open", seat=1, hazard="FLAT", open_to="opponents")
    french, english = words("fr"), words("en")
    assert "adversaires d'Inès" in french.sentence(reason, french.named(["Max", "Inès"], 2))
    assert "Inès" in english.sentence(reason, english.named(["Max", "Inès"], 2))
