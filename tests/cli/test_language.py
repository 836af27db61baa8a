"""The language of the output."""

from .people import ask


def test_the_language_follows_the_locale() -> None:
    for env in ({"LC_ALL": "fr_CA.UTF-8"}, {"LC_ALL": "", "LANG": "fr"}):
        done = ask("judge", "-", stdin="players: 2", env=env)
        assert "Coups permis" in done.stdout
    done = ask("judge", "-", stdin="players: 2", env={"LC_ALL": "", "LC_MESSAGES": "de_DE"})
    assert "Legal moves" in done.stdout


def test_an_unknown_language_is_refused_in_that_of_the_locale() -> None:
    done = ask("editions", "--lang", "xx", env={"LC_ALL": "fr_FR.UTF-8"})
    assert "choisissez parmi en, fr" in done.stderr
