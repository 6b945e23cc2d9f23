/** Reads `NAME`, which is the variable of the environment, or `NAME=VALUE`, for the table of a server. */
export function readVariables(
  assignments: readonly string[],
): { ok: true; env: Readonly<Record<string, string>> } | { ok: false; message: string } {
  const variables: [string, string][] = []
  for (const text of assignments) {
    const { name, value } = /^(?<name>[A-Za-z_]\w*)(?:=(?<value>.*))?$/s.exec(text)?.groups ?? {}
    if (name === undefined)
      return { ok: false, message: `--env ${JSON.stringify(text)}: expected NAME or NAME=VALUE` }
    variables.push([name, value ?? `\${${name}}`])
  }
  return { ok: true, env: Object.fromEntries(variables) }
}
