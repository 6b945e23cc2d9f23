import type { ToolRequest } from '@toolblocks/protocol'

/** One word of a command: fixed text, with placeholders between. */
export interface Template {
  /** As it was written. */
  readonly source: string
  readonly parts: readonly (string | Placeholder)[]
}

/** A path into the request, for example `['tool', 'arguments', 'path']`. */
interface Placeholder {
  readonly path: readonly string[]
}

/** Fields of the request that can be named; below those marked `true` any path can. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  context: {
    action: false,
    root: false,
    access: true,
    workspace_id: false,
    conversation_id: false,
  },
  tool: { name: false, arguments: true, answers: true, options: true },
}

const PLACEHOLDER = /\{\{\{\{|\{\{\s*([^\s{}]*)\s*\}\}|\{\{/g

/** Reads one word of a command; a word that cannot be read is a message that says what to write instead. */
export function parseTemplate(
  source: string,
): { ok: true; template: Template } | { ok: false; message: string } {
  const parts: (string | Placeholder)[] = []
  let end = 0
  for (const match of source.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push(source.slice(end, match.index))
    end = match.index + match[0].length
    if (match[0] === '{{{{') {
      parts.push('{{')
      continue
    }
    const path = match[1]?.split('.')
    if (!path || !isKnown(path)) return { ok: false, message: unknownPlaceholder(source, match) }
    parts.push({ path })
  }
  if (end < source.length) parts.push(source.slice(end))
  return { ok: true, template: { source, parts } }
}

function isKnown([root = '', field, ...rest]: readonly string[]): boolean {
  const fields = Object.hasOwn(FIELDS, root) ? FIELDS[root] : undefined
  if (!fields) return false
  if (field === undefined) return true
  if (!Object.hasOwn(fields, field)) return false
  return rest.length === 0 || (fields[field] === true && !rest.includes(''))
}

function unknownPlaceholder(source: string, match: RegExpExecArray): string {
  const found = match[1] === undefined ? source.slice(match.index, match.index + 40) : match[0]
  return (
    `unknown placeholder ${found}: use {{context}}, {{tool}}, {{tool.name}}, {{tool.arguments.x}}, ` +
    '{{tool.answers.x}} or {{tool.options.x}}; for two braces as they are write {{{{'
  )
}

/** The word, where it is the same for every call. */
export function fixedText({ parts }: Template): string | undefined {
  const texts = parts.filter((part) => typeof part === 'string')
  return texts.length === parts.length ? texts.join('') : undefined
}

/** The word for one call. No value is `null`; what is not text, number or boolean is compact JSON. */
export function renderTemplate(template: Template, request: ToolRequest): string {
  return template.parts
    .map((part) => (typeof part === 'string' ? part : toText(valueAt(request, part.path))))
    .join('')
}

/** The value a placeholder stands for; `undefined` where there is none. Never looks at prototypes. */
export function valueAt(request: ToolRequest, path: readonly string[]): unknown {
  let value: unknown = request
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** A value as it stands in a word. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value) ?? 'null'
}
