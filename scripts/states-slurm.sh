#!/usr/bin/env bash
# All states of a game counted, or the game solved, by the tasks of a Slurm job together.
#
#   sbatch --ntasks=8 --cpus-per-task=16 scripts/states-slurm.sh game.kif
#   sbatch --ntasks=8 --cpus-per-task=16 scripts/states-slurm.sh solve game.kif
#
# Where one task is killed, all end. Submit the same command again, with as many tasks and cores: it goes on after the last ply that all have kept.
#SBATCH --job-name=kolibri-states
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=4
#SBATCH --time=24:00:00
#SBATCH --output=states-%j.log
set -euo pipefail
command=states
if [[ ${1:-} == states || ${1:-} == solve ]]; then
    command=$1
    shift
fi
game=${1:?name the rule file}
shift
# Each task listens at a port of its own, so that several may be on the same machine.
export KOLIBRI_PORT=${KOLIBRI_PORT:-2101}
hosts=$PWD/states-${SLURM_JOB_ID:?this is a script for sbatch}.hosts
srun bash -c 'echo "$SLURM_PROCID $(hostname):$((KOLIBRI_PORT + SLURM_PROCID))"' | sort -n | cut -d' ' -f2 > "$hosts"
# All tasks find the same; the first one prints it.
srun --kill-on-bad-exit=1 bash -c '
    if [[ $SLURM_PROCID != 0 ]]; then exec > /dev/null; fi
    exec kolibri "$@" --process "$SLURM_PROCID" --threads "${SLURM_CPUS_PER_TASK:-1}"
' kolibri "$command" "$game" --hosts "$hosts" --checkpoint "$PWD/$command.checkpoint" "$@"
