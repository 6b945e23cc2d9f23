/** Writes to the real standard output; settles when it is written. */
export type WriteOutput = (text: string) => Promise<void>

/** Takes standard output for responses alone: whatever else the tool prints goes to standard error. */
export function takeOutput(): WriteOutput {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  return (text) =>
    new Promise((resolve) => {
      // A host that has gone away is no failure of the tool.
      write(text, () => resolve())
    })
}
