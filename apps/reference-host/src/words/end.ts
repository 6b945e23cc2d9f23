/** Gets the exit code of the command that ran. */
export type End = (code: number) => void
