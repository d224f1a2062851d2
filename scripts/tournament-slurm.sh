#!/usr/bin/env bash
# A tournament on the machines of a Slurm cluster: each task of the job array plays its shard.
#
#   sbatch --array=0-31 scripts/tournament-slurm.sh cup.toml
#   kolibri merge cup.*-of-32.games.jsonl          # when all tasks have ended
#
# A task that was interrupted goes on where it stopped: submit the same command again.
#SBATCH --job-name=kolibri-tournament
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --output=tournament-%A-%a.log
set -euo pipefail
plan=${1:?name the plan of the tournament}
# Slurm says which shard it is in SLURM_ARRAY_TASK_ID and the variables beside it, and how many cores the task has in SLURM_CPUS_PER_TASK; kolibri reads
# them, and plays as many games at once as these cores are enough for.
exec kolibri tournament "$plan" "${@:2}"
