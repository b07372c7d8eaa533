/** Measures the CPU time of tasks in alternation, so that noise affects all of them equally. */

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

/** Returns the microseconds of CPU that this process has used. */
export const cpu = () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/**
 * Returns the microseconds of CPU per call of each task, by round. A round has `count` calls. Each task first runs as
 * many calls to warm up.
 */
export const sample = (tasks, count, rounds) => {
  const samples = tasks.map(() => [])
  for (const task of tasks) for (let i = 0; i < Math.max(3, count); i++) task()
  for (let round = 0; round < rounds; round++)
    tasks.forEach((task, at) => {
      const start = cpu()
      for (let i = 0; i < count; i++) task()
      samples[at].push((cpu() - start) / count)
    })
  return samples
}

/** Returns the median microseconds of CPU per call of each task. */
export const measure = (tasks, count, rounds) => sample(tasks, count, rounds).map(median)
