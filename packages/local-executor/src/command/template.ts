import { type JsonSchema, type ToolRequest, isJsonObject } from '@toolblocks/protocol'
import type { LocalProblem } from './local-tool-definition.ts'
import { NOT_JSON } from './tool-request.ts'

/** One word of a command: fixed text with placeholders. */
export interface Template {
  /** The word as written in the definition. */
  readonly source: string
  readonly parts: readonly (string | Placeholder)[]
}

/** A command that was read once and is rendered for every call. */
export interface Command {
  readonly program: string
  readonly args: readonly Argument[]
}

/** One word after the program. */
export interface Argument extends Template {
  /** JSON Pointer into the definition. */
  readonly at: string
  /** Whether text of a call may begin this word with a dash, because no program reads it as an option or the definition allows it. */
  readonly takesDash: boolean
}

/** A path into the request, for example `['tool', 'arguments', 'path']`. */
interface Placeholder {
  readonly path: readonly string[]
}

/** Fields of the request that placeholders can name. Below those marked `true`, any path is allowed. */
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

/** Reads one word of a command. If it is invalid, returns a message that says what to write instead. */
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
  const placeholder =
    match[1] === undefined ? source.slice(match.index, match.index + 40) : match[0]
  return (
    `unknown placeholder ${placeholder}: use {{context}}, {{tool}}, {{tool.name}}, {{tool.arguments.x}}, ` +
    '{{tool.answers.x}} or {{tool.options.x}}; for two literal braces write {{{{'
  )
}

/** Returns the word if it is the same for every call. */
export function fixedText({ parts }: Template): string | undefined {
  const texts = parts.filter((part) => typeof part === 'string')
  return texts.length === parts.length ? texts.join('') : undefined
}

/** Returns the word for one call. A missing value is written as `null`; values other than text, numbers and booleans as compact JSON. */
export function renderTemplate(template: Template, request: ToolRequest): string {
  return template.parts
    .map((part) => (typeof part === 'string' ? part : toText(valueAt(request, part.path))))
    .join('')
}

/** Returns the value of a placeholder, or `undefined` if there is none. Ignores prototypes. */
function valueAt(request: ToolRequest, path: readonly string[]): unknown {
  let value: unknown = request
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** Returns a value as text in a word. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value) ?? 'null'
}

/**
 * Whether a placeholder, such as `['tool', 'arguments', 'range', 'first']`, refers to one of these arguments or to a part of one. Names are those
 * of placeholders, `range.first`; `*` in a name matches any item of a list.
 */
export function covers(
  names: readonly string[],
  [root, field, ...path]: readonly string[],
): boolean {
  if (root !== 'tool' || field !== 'arguments' || path.length === 0) return false
  return names.some((name) => {
    const steps = name.split('.')
    return (
      steps.length <= path.length &&
      steps.every((step, index) => step === '*' || step === path[index])
    )
  })
}

/** Finds placeholders for arguments that the schema does not allow in any call. */
export function checkPlaceholders({ args }: Command, schema: JsonSchema): readonly LocalProblem[] {
  return args.flatMap(({ at, parts }) =>
    parts.flatMap((part) => {
      if (typeof part === 'string') return []
      // Only the tool has arguments.
      const [, field, ...names] = part.path
      if (field !== 'arguments') return []
      return explainUnknown(names, schema, { at, written: part.path.join('.') })
    }),
  )
}

function explainUnknown(
  names: readonly string[],
  schema: unknown,
  word: { at: string; written: string },
): readonly LocalProblem[] {
  const [name, ...rest] = names
  if (name === undefined || !isJsonObject(schema)) return []
  const { properties, patternProperties, additionalProperties } = schema
  if (isJsonObject(properties) && Object.hasOwn(properties, name))
    return explainUnknown(rest, properties[name], word)
  if (additionalProperties !== false || patternProperties !== undefined) return []
  const known = isJsonObject(properties) ? Object.keys(properties) : []
  const expected = known.length === 0 ? 'no arguments' : known.join(', ')
  const got = JSON.stringify(name)
  const message = `{{${word.written}}} names no parameter: expected ${expected}, got ${got}`
  return [{ path: word.at, message, expected, got, code: 'unknown-argument' }]
}

/** One argument must be shorter than this many bytes: 100 KiB, below Linux's 128 KiB. */
const MAX_ARGUMENT_BYTES = 100 * 1024

/** All arguments together must be shorter than this many bytes: 1 MiB, below Linux's 2 MiB with the environment. */
const MAX_ARGUMENTS_BYTES = 1024 * 1024

type Rendered = { ok: true; args: readonly string[] } | { ok: false; message: string }

/**
 * Returns the arguments for one call, or why they cannot be passed: they are too large for the operating system, or a program would read one as an
 * option.
 */
export function renderArguments(templates: readonly Argument[], request: ToolRequest): Rendered {
  try {
    return renderAll(templates, request)
  } catch {
    return { ok: false, message: NOT_JSON }
  }
}

function renderAll(templates: readonly Argument[], request: ToolRequest): Rendered {
  const args: string[] = []
  let total = 0
  for (const template of templates) {
    const text = renderTemplate(template, request)
    const bytes = Buffer.byteLength(text)
    total += bytes + 1
    const message =
      refuse(template, text, bytes) ?? refuseTotal(total) ?? refuseDash(template, request)
    if (message !== undefined) return { ok: false, message }
    args.push(text)
  }
  return { ok: true, args }
}

function refuse(template: Template, text: string, bytes: number): string | undefined {
  if (bytes >= MAX_ARGUMENT_BYTES) {
    return `The argument ${template.source} has ${bytes} bytes; one argument must stay below ${MAX_ARGUMENT_BYTES}. ${STDIN}`
  }
  if (text.includes('\0')) {
    return `The argument ${template.source} contains a NUL character, which an argument cannot contain. ${STDIN}`
  }
  return undefined
}

function refuseTotal(total: number): string | undefined {
  if (total < MAX_ARGUMENTS_BYTES) return undefined
  return `The arguments have ${total} bytes or more; together they must stay below ${MAX_ARGUMENTS_BYTES}. ${STDIN}`
}

const STDIN =
  'Let the tool read the JSON document on stdin, which has the same values without a limit, and remove the placeholder from its command.'

/** Most programs read text that begins with a dash as an option; a model or a person may have written it. */
function refuseDash({ parts, takesDash }: Argument, request: ToolRequest): string | undefined {
  if (takesDash) return undefined
  for (const part of parts) {
    if (typeof part === 'string') return undefined
    const value = valueAt(request, part.path)
    const [root, field, ...name] = part.path
    const isGiven = root === 'tool' && (field === 'arguments' || field === 'answers')
    if (isGiven && typeof value === 'string' && value.startsWith('-')) {
      const beginning = JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
      const what = field === 'answers' ? 'answer' : 'argument'
      const allow = field === 'answers' ? '' : `, or allow_dash = true for the parameter`
      return `The ${what} ${JSON.stringify(name.join('.'))} begins with a dash (${beginning}), so the program could read it as an option. Give it another beginning, such as ./ for a path; or write -- before its placeholder in the command${allow}.`
    }
    if (toText(value) !== '') return undefined
  }
  return undefined
}
