/** Says why the operating system refused to start a file that exists and is executable. */
export function explainSpawnError(code: string, program: string, start: string): string {
  const interpreter = /^#!\s*(\S+)/.exec(start)?.[1]
  switch (code) {
    case 'ENOENT':
      if (/^#!.*\r(?:\n|$)/.test(start))
        return `${program} could not be started: its lines end with CR LF, as on Windows, so its first line names an interpreter "${interpreter}\\r" that does not exist. Save it with LF only, for example with sed -i 's/\\r$//' ${program}`
      return interpreter === undefined
        ? `${program} could not be started: a file it needs, such as its loader, does not exist (ENOENT).`
        : `${program} could not be started: its first line names the interpreter ${interpreter}, which does not exist. Install it or correct the line.`
    case 'E2BIG':
      return `${program} could not be started: its arguments and environment are too large (E2BIG). Let it read the JSON document on stdin.`
    case 'EACCES':
      return `${program} could not be started: permission denied (EACCES), for the file, its interpreter${interpreter === undefined ? '' : ` ${interpreter}`} or the folder it lies in.`
    default:
      return `${program} could not be started: the operating system answered ${code}.`
  }
}
