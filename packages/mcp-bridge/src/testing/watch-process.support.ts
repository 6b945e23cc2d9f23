import { onTestFinished } from 'vitest'

/** Collects until the test ends what is thrown outside of promises that somebody awaits: it would end the process. Returns a function that reads it. */
export function watchProcess(): () => readonly unknown[] {
  const outside: unknown[] = []
  const note = (error: unknown): void => void outside.push(error)
  process.on('uncaughtException', note).on('unhandledRejection', note)
  onTestFinished(() => {
    process.off('uncaughtException', note).off('unhandledRejection', note)
  })
  return () => outside
}
