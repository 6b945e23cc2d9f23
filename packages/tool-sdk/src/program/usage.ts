import type { DefinedTool } from '../defined-tool.ts'

/** What a person reads who starts the program without a request. */
export function usage(tools: readonly DefinedTool[]): string {
  const width = Math.max(...tools.map(({ name }) => name.length))
  const lines = tools.map(({ name, description: { summary = '', title = '' } }) =>
    `  ${name.padEnd(width)}  ${summary || title}`.trimEnd(),
  )
  return `A program with tools for a model. A host starts it with a request on standard input.

${lines.join('\n')}

What it says of itself:
  echo '{"context":{"action":"schema","root":"."}}' | PROGRAM
A call:
  echo '{"context":{"action":"run","root":"."},"tool":{"name":${JSON.stringify(tools[0]?.name)},"arguments":{}}}' | PROGRAM
`
}
