import { type JsonSchema, type JsonValue, type Problem } from '@toolblocks/protocol'
import { isJsonValue, splitPointer, describeMissingPeer } from '@toolblocks/protocol/internal'
import type * as Jsonc from 'jsonc-parser'
import { getProblems } from '../questions/find-problems.ts'

/** Loaded here so that a missing optional peer gives an error that names it. */
const jsonc: typeof Jsonc = await import('jsonc-parser').catch((cause: unknown) => {
  throw describeMissingPeer(cause, { entry: '@toolblocks/inquiry/editor', peer: 'jsonc-parser' })
})

/** The content of the edited file. */
type ReadEditedAnswer =
  | { kind: 'nothing' }
  | { kind: 'value'; value: JsonValue }
  /** `text` is the content, with each problem as a comment above its line. */
  | { kind: 'problems'; text: string }

const OPTIONS = { allowTrailingComma: true }

const MARK = '// ✗ '

/** Parses JSON with comments and validates it. A file without a value is no answer. */
export function readAnswer(text: string, schema: JsonSchema): ReadEditedAnswer {
  if (jsonc.stripComments(text).trim() === '') return { kind: 'nothing' }
  const errors: Jsonc.ParseError[] = []
  const value: unknown = jsonc.parse(text, errors, OPTIONS)
  if (errors.length > 0 || !isJsonValue(value))
    return { kind: 'problems', text: withRemarks(text, errors.map(explain)) }
  const problems = getProblems(value, schema)
  if (problems.length === 0) return { kind: 'value', value }
  return { kind: 'problems', text: withRemarks(text, locate(problems, text)) }
}

interface Remark {
  offset: number
  message: string
}

function explain({ error, offset }: Jsonc.ParseError): Remark {
  const errorName = jsonc.printParseErrorCode(error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return { offset, message: errorName.toLowerCase() }
}

/** Finds the position of the value with a problem, or of the value that should contain it. */
function locate(problems: readonly Problem[], text: string): readonly Remark[] {
  const tree = jsonc.parseTree(text, [], OPTIONS)
  return problems.map(({ path, message }) => ({
    offset: tree
      ? getOffset(
          tree,
          splitPointer(path).map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
        )
      : 0,
    message: `${path} ${message}`,
  }))
}

function getOffset(tree: Jsonc.Node, segments: readonly (string | number)[]): number {
  const node = jsonc.findNodeAtLocation(tree, [...segments])
  if (node) return node.offset
  return segments.length === 0 ? tree.offset : getOffset(tree, segments.slice(0, -1))
}

function withRemarks(text: string, remarks: readonly Remark[]): string {
  const lines: string[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const end = start + line.length
    const indent = /^\s*/.exec(line)?.[0] ?? ''
    for (const { offset, message } of remarks)
      if (offset >= start && offset <= end)
        lines.push(`${indent}${MARK}${comment(message).slice('// '.length)}`)
    if (!line.trimStart().startsWith(MARK)) lines.push(line)
    start = end + 1
  }
  return lines.join('\n')
}

const MAX_LENGTH = 300

/** Formats untrusted text as one comment line, whatever line ends and control characters it has. */
export function comment(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return `// ${line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line}`
}
