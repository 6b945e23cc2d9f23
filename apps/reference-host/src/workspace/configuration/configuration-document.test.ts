import {
  agentSchema,
  approvalsSchema,
  modelSchema,
  promptSchema,
  resourcesSchema,
} from './table-schemas.ts'
import { readFileSync } from 'node:fs'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { describeProblem } from './configuration.ts'
import { configurationSchema } from './configuration-schema.ts'
import { tableProblems } from '../tools/table-problems.support.ts'
import { parseConfiguration } from './parse-configuration.ts'
import { serverSchema } from './server-schema.ts'
import { parameterSchema, toolSchema } from './tool-schema.ts'

const document = readFileSync(
  new URL('../../../../../docs/configuration.md', import.meta.url),
  'utf8',
)

/** The keys of each table of the configuration, and the lines that make one table a complete file. */
const sections: readonly (readonly [heading: string, keys: JsonObject, around: string])[] = [
  ['[tools.<name>]', toolSchema.properties, '[tools.x]'],
  [
    '[tools.<name>.parameters.<name>]',
    parameterSchema.properties,
    `${wholeTool(['source', 'command'])}[tools.x.parameters.p]`,
  ],
  [
    '[tools.<name>.questions.<id>]',
    toolSchema.properties.questions.additionalProperties.properties,
    `${wholeTool(['source', 'command', 'parameters'])}[tools.x.questions.q]`,
  ],
  ['[mcp.servers.<name>]', serverSchema.properties, '[mcp.servers.x]'],
  [
    '[mcp.servers.<name>.links]',
    serverSchema.properties.links.properties,
    '[mcp.servers.x]\ncommand = "x"\n[mcp.servers.x.links]',
  ],
  [
    '[mcp.servers.<name>.oauth]',
    serverSchema.properties.oauth.properties,
    '[mcp.servers.x]\nurl = "https://example.com"\n[mcp.servers.x.oauth]',
  ],
  ['[format]', configurationSchema.properties.format.properties, '[format]'],
  ['[deduplication]', configurationSchema.properties.deduplication.properties, '[deduplication]'],
  ['[budget]', configurationSchema.properties.budget.properties, '[budget]'],
  ['[tool_search]', configurationSchema.properties.tool_search.properties, '[tool_search]'],
  ['[model]', modelSchema.properties, '[model]'],
  ['[agents.<name>]', agentSchema.properties, '[agents.x]'],
  ['[prompts.<name>]', promptSchema.properties, '[prompts.x]'],
  ['[resources]', resourcesSchema.properties, '[resources]'],
  [
    '[serve]',
    {
      metrics: configurationSchema.properties.serve.properties.metrics,
      trusted_proxies: configurationSchema.properties.serve.properties.trusted_proxies,
    },
    '[serve]',
  ],
  [
    '[serve.clients.<name>]',
    configurationSchema.properties.serve.properties.clients.additionalProperties.properties,
    '[serve.clients.x]',
  ],
  [
    '[serve.oauth]',
    configurationSchema.properties.serve.properties.oauth.properties,
    '[serve.oauth]',
  ],
  ['[approvals]', approvalsSchema.properties, '[approvals]'],
  ['[questions]', configurationSchema.properties.questions.properties, '[questions]'],
  ['[store]', configurationSchema.properties.store.properties, '[store]'],
]

/** The required key of a table, and its line. */
const REQUIRED: Readonly<Record<string, readonly [key: string, line: string]>> = {
  '[agents.<name>]': ['summary', 'summary = "Reads."\n'],
  '[prompts.<name>]': ['file', 'file = "review.md"\n'],
  '[serve.oauth]': ['issuer', 'issuer = "https://login.example.com"\n'],
}

function wholeTool(keys: readonly string[]): string {
  const lines: Record<string, string> = {
    source: 'source = "local"',
    command: 'command = "true"',
    parameters: 'parameters = { path = { type = "string" } }',
  }
  return `[tools.x]\n${keys.map((key) => `${lines[key]}\n`).join('')}`
}

/** Returns the rows of the table below a heading. */
function rowsBelow(heading: string): string[][] {
  const from = document.indexOf(`\n## \`${heading}\`\n`)
  expect(from, `docs/configuration.md has no section ${heading}`).toBeGreaterThan(-1)
  const [section = ''] = document.slice(from + 4).split('\n## ')
  return [...section.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map((cell) => cell.trim()),
  )
}

function toToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toToml).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, item]) => `${key} = ${toToml(item)}`)
  return `{ ${entries.join(', ')} }`
}

/** Returns the row that a key must have. Its meaning names every value of the key. */
function getRow(key: string, schema: JsonObject): string[] {
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : []
  const values = choices.map((word) => `\`${String(word)}\``)
  const description = String(schema['description'])
  const isComplete = values.every((value) => description.includes(value))
  const meaning = isComplete ? description : `${description} One of ${values.join(', ')}.`
  const initial = 'default' in schema ? `\`${toToml(schema['default'])}\`` : ''
  return [`\`${key}\``, meaning, initial, `\`${toToml(getExample(schema))}\``]
}

function getExample(schema: JsonObject): unknown {
  const { examples, default: initial, enum: choices, type } = schema
  if (Array.isArray(examples)) return examples[0]
  if (Array.isArray(choices)) return choices.find((word) => word !== initial)
  return type === 'boolean' ? !initial : undefined
}

/** Returns every problem and warning of a file. */
async function getProblems(text: string): Promise<string[]> {
  const parsed = await parseConfiguration(text, 'toolblocks.toml')
  if (!parsed.ok) return parsed.problems.map(describeProblem)
  return [...parsed.warnings, ...tableProblems(parsed.configuration)].map(describeProblem)
}

test.for(sections)(
  'docs/configuration.md has every key of %s with its default and an example',
  ([heading, keys]) => {
    const expected = Object.entries(keys).map(([key, schema]) =>
      getRow(key, isJsonObject(schema) ? schema : {}),
    )
    expect(rowsBelow(heading)).toEqual(expected)
  },
)

test.for(sections)('every example of %s is valid', async ([heading, , around]) => {
  for (const [key = '', , , example = ''] of rowsBelow(heading)) {
    const name = key.slice(1, -1)
    const rest = heading === '[tools.<name>]' ? wholeTool(others(name)) : `${around}\n`
    const [required = '', line = ''] = REQUIRED[heading] ?? []
    const needed = name === required ? '' : line
    expect(await getProblems(`${rest}${needed}${name} = ${example.slice(1, -1)}\n`), name).toEqual(
      [],
    )
  }
})

function others(name: string): readonly string[] {
  const needed = name === 'command' ? ['source', 'parameters'] : ['source', 'command', 'parameters']
  return needed.filter((key) => key !== name)
}

test('every complete file in docs/configuration.md is valid', async () => {
  const files = [...document.matchAll(/^```toml\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) expect(await getProblems(file)).toEqual([])
})
