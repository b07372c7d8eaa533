/** Measures the CPU time of tasks in turns, so that noise affects all of them. */

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

/** Microseconds of CPU that this process has used. */
export const cpu = () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Microseconds of CPU for one call of each task, by rounds: `count` calls a round, after as many to warm up. */
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

/** Median microseconds of CPU for one call of each task. */
export const measure = (tasks, count, rounds) => sample(tasks, count, rounds).map(median)
