/** Says why the operating system refused to start a file that exists and is executable. */
export function explainSpawnError(code: string, program: string, start: string): string {
  const [, interpreter, end] = /^#![ \t]*(\S+)[^\r\n]*(\r?)/.exec(start) ?? []
  if (code === 'ENOENT' && end === '\r')
    return `${program} could not be started: its lines end as on Windows (CRLF), and the end of the first one is taken for part of the interpreter's name. Save it with LF as the end of its lines.`
  switch (code) {
    case 'ENOENT':
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
