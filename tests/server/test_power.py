"""The power is cut under the production store: acknowledged inputs survive."""

from .power import cut_power, unsafe


def test_no_acknowledged_input_is_lost_in_a_thousand_power_cuts() -> None:
    result = cut_power(1000, seed=1954)
    assert result.cuts == 1000
    assert result.acknowledged > 3000
    assert (result.lost, result.damaged) == (0, 0)


def test_a_store_that_does_not_wait_for_the_disk_is_found_out() -> None:
    assert cut_power(60, seed=1955, prepare=unsafe).lost > 0
