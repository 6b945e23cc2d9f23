/**
 * Whether tests are skipped because a program is missing that they need. Where `CI` is set, nobody reads which tests were skipped, so they run and
 * fail. `problem`: why it is missing; `undefined`: it is there.
 */
export function isSkippedWithout(
  problem: string | undefined,
  { CI: ci = '' }: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  return problem !== undefined && ci === ''
}

/** Throws an error that says what to do if a program is missing that a test needs. */
export function requireProgram(problem: string | undefined): void {
  if (problem === undefined) return
  throw new Error(
    `${problem}. Where CI is set, tests that need it are not skipped; "env -u CI" skips them.`,
  )
}
