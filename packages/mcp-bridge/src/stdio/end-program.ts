import type { StartedProgram } from '@toolblocks/protocol'

/** What a server gets after its input ended, and again after it was asked to end. */
const GRACE_MS = 2000

/** What one gets after SIGTERM that has not been talked to: it has nothing to finish. */
const SHORT_GRACE_MS = 300

/** Ends a program and what it started: end of input, then SIGTERM, then SIGKILL. */
export async function endProgram(program: StartedProgram): Promise<void> {
  program.endInput()
  if (!(await isWithin(program.exited, GRACE_MS))) {
    program.terminate()
    await isWithin(program.exited, GRACE_MS)
  }
  await killRest(program)
}

/** Ends a program that has not said hello, and what it started: SIGTERM, then SIGKILL. */
export async function abandonProgram(program: StartedProgram): Promise<void> {
  program.endInput()
  program.terminate()
  await isWithin(program.exited, SHORT_GRACE_MS)
  await killRest(program)
}

/** Kills what is left of a program, and of what it started. */
export async function killRest(program: StartedProgram): Promise<void> {
  await program.kill()
  await isWithin(program.exited, GRACE_MS)
  program.release()
}

async function isWithin(ended: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const isEnded = await Promise.race([ended.then(() => true), late])
  clearTimeout(timer)
  return isEnded
}
