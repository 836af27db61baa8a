"""Every sentence and name, in every language, for every interface."""

from .languages import DEFAULT_LANGUAGE, languages, words
from .words import Coded, Names, RuleForm, Words

__all__ = ["DEFAULT_LANGUAGE", "Coded", "Names", "RuleForm", "Words", "languages", "words"]
