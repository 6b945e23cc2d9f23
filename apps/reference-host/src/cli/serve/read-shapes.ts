import type { JsonValue } from '@toolblocks/protocol'
import { parseJson } from '@toolblocks/protocol/internal'
import type { McpToolConfiguration } from '../../workspace/configuration/tool-schema.ts'
import type { UnavailableTool } from '../../workspace/tools/unavailable-tool.ts'
import type { TypedServerOptions } from './serve-options.ts'

/** The options that shape the tools of servers. */
const SHAPE_OPTIONS = ['select', 'fix', 'hide', 'rename', 'describe'] as const
type ShapeOption = (typeof SHAPE_OPTIONS)[number]

/** The tables of tools that the options shape, as in a configuration. */
export interface TypedShapes {
  tables: Readonly<Record<string, McpToolConfiguration>>
  /** The new names of tools by those that were typed. */
  names: ReadonlyMap<string, string>
  /** Says which option a problem of a table comes from. */
  describe(problem: Pick<UnavailableTool, 'path' | 'message'>): string
}

/** What the options say about one tool. */
interface TypedShape {
  typed: string
  options: Set<ShapeOption>
  select: string[]
  fixed: [name: string, value: JsonValue][]
  hidden: string[]
  name?: string
  description?: string
}

/** The form of each option, and its pattern. A name of a tool may have dots, but no `=`. */
const FORMS: Readonly<Record<ShapeOption, readonly [form: string, pattern: RegExp]>> = {
  select: ['TOOL=PATH', /^(?<tool>[^=]+)=(?<value>[^]+)$/],
  fix: ['TOOL.ARGUMENT=VALUE', /^(?<tool>[^=]+)\.(?<argument>[^=.]+)=(?<value>[^]*)$/],
  hide: ['TOOL.ARGUMENT', /^(?<tool>[^=]+)\.(?<argument>[^=.]+)$/],
  rename: ['TOOL=NAME, with letters, digits, _ or -', /^(?<tool>[^=]+)=(?<value>[\w-]{1,64})$/],
  describe: ['TOOL=TEXT', /^(?<tool>[^=]+)=(?<value>[^]+)$/],
}

/** Reads the options. A tool of one of several servers is `SERVER__TOOL`. */
export function readShapes(
  options: Pick<TypedServerOptions, ShapeOption>,
  servers: readonly string[],
): { ok: true; shapes: TypedShapes } | { ok: false; message: string } {
  const shapes = new Map<string, TypedShape>()
  for (const option of SHAPE_OPTIONS)
    for (const text of options[option] ?? []) {
      const [form, pattern] = FORMS[option]
      const { tool, argument = '', value = '' } = pattern.exec(text)?.groups ?? {}
      if (tool === undefined)
        return { ok: false, message: `--${option} ${JSON.stringify(text)}: expected ${form}` }
      const shape = shapes.get(tool) ?? {
        typed: tool,
        options: new Set(),
        select: [],
        fixed: [],
        hidden: [],
      }
      shapes.set(tool, shape)
      shape.options.add(option)
      if (option === 'select') shape.select.push(value)
      if (option === 'fix') shape.fixed.push([argument, parseJson(value) ?? value])
      if (option === 'hide') shape.hidden.push(argument)
      if (option === 'rename') shape.name = value
      if (option === 'describe') shape.description = value
    }
  const tables: [string, McpToolConfiguration][] = []
  for (const shape of shapes.values()) {
    const source = findSource(shape.typed, servers)
    if (!source) {
      const expected = servers.map((name) => `${name}__TOOL`).join(' or ')
      const [option = 'select'] = shape.options
      return {
        ok: false,
        message: `--${option} ${JSON.stringify(shape.typed)}: expected ${expected}`,
      }
    }
    const name = shape.name ?? shape.typed
    if (tables.some(([other]) => other === name))
      return { ok: false, message: `--rename: two tools are named ${JSON.stringify(name)}` }
    tables.push([name, toTable(shape, source)])
  }
  return {
    ok: true,
    shapes: {
      tables: Object.fromEntries(tables),
      names: new Map([...shapes.values()].map(({ typed, name = typed }) => [typed, name])),
      describe: ({ path: [, name, key], message }) => {
        const shape = [...shapes.values()].find((each) => (each.name ?? each.typed) === name)
        const [first = 'select'] = shape?.options ?? []
        const option = OPTIONS.get(key ?? '') ?? first
        return `--${option} ${JSON.stringify(shape?.typed ?? name)}: ${message}`
      },
    },
  }
}

/** The option of each key of a table. */
const OPTIONS = new Map<string, ShapeOption>([
  ['select', 'select'],
  ['fixed', 'fix'],
  ['hidden', 'hide'],
])

function findSource(
  typed: string,
  servers: readonly string[],
): Pick<McpToolConfiguration, 'source' | 'server' | 'tool'> | undefined {
  const [only, ...others] = servers
  const server =
    only !== undefined && others.length === 0
      ? only
      : servers.find((name) => typed.startsWith(`${name}__`))
  if (server === undefined) return undefined
  const tool = others.length === 0 ? typed : typed.slice(server.length + 2)
  return { source: `mcp.${server}.${tool}`, server, tool }
}

function toTable(
  { select, fixed, hidden, description }: TypedShape,
  source: Pick<McpToolConfiguration, 'source' | 'server' | 'tool'>,
): McpToolConfiguration {
  return {
    ...source,
    ...(select.length > 0 && { select }),
    ...(fixed.length > 0 && { fixed: Object.fromEntries(fixed) }),
    ...(hidden.length > 0 && { hidden }),
    ...(description !== undefined && { description }),
  }
}
