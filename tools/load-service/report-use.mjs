// Loaded into a process with --import and --expose-gc: whenever its parent asks, collects all garbage and answers with what the process uses.
import { setTimeout as pause } from 'node:timers/promises'

/** Also gives back the memory that is kept for further objects. */
const COMPLETE = { type: 'major', execution: 'sync', flavor: 'last-resort' }

process.on('message', async () => {
  const { user, system } = process.cpuUsage()
  // What ends its work in a later step of the event loop is collected by the second time.
  for (let time = 0; time < 2; time += 1) {
    void globalThis.gc(COMPLETE)
    await pause(100)
  }
  process.send({ cpuMs: (user + system) / 1000, bytes: process.memoryUsage.rss() })
})
process.channel.unref()
