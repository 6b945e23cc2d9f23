import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { createServerProgram, SERVER_FILE, SERVERS } from '../stage/mcp-server.ts'
import { PROVIDERS, startProvider } from '../stage/provider.ts'

const providers = Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[]

/** Returns all schemas of tools in a request, whatever the provider calls them. */
function findSchemas(request: unknown): readonly JsonObject[] {
  const { tools } = request as { tools: readonly JsonObject[] }
  return tools.flatMap((each) => {
    const { functionDeclarations: declared = [each] } = each
    return (declared as readonly JsonObject[]).map((tool) => {
      const own = isJsonObject(tool['function']) ? tool['function'] : tool
      const { input_schema: anthropic, parameters, parametersJsonSchema: google } = own
      // Google gets no schema for a tool without parameters.
      return (anthropic ?? parameters ?? google ?? { type: 'object' }) as JsonObject
    })
  })
}

/** Returns what the meta-schema of draft 2020-12 finds wrong. */
function findFaults({ $schema: _dialect, ...schema }: JsonObject): readonly string[] {
  const compiled = compileSchema(schema)
  const faults = compiled.ok ? [] : compiled.problems.map(({ path, message }) => path + message)
  return schema['type'] === 'object'
    ? faults
    : [...faults, `root ${JSON.stringify(schema['type'])}`]
}

const letters = { enum: ['A', 'B'] }
const BROKEN = [
  {
    name: 'price',
    inputSchema: {
      type: 'object',
      properties: { coin: { type: 'string' }, required: ['coin'] },
    },
  },
  {
    name: 'grade',
    inputSchema: {
      type: 'object',
      properties: {
        letter: {
          anyOf: [
            { type: 'string', ...letters },
            { type: 'null', ...letters },
          ],
        },
      },
    },
  },
]
const ECHO = 'return { content: [{ type: "text", text: JSON.stringify(given) }] }'

test.for(providers)(
  'promise broken definitions: %s receives valid schemas of a server whose schemas are wrong, and calls reach the server as it meant them',
  async (provider) => {
    const calls = [
      ['notes__price', { coin: 'btc' }],
      ['notes__grade', { letter: null }],
      ['notes__price', {}],
    ] as const
    const model = await startProvider([{ calls }, { text: 'Done.' }], provider)
    const folder = makeFolder({
      [SERVER_FILE]: createServerProgram(BROKEN, ECHO),
      '.mcp.json': SERVERS,
      'toolblocks.toml': model.settings,
    })
    const allowed = ['--allow-tool', 'notes__price', '--allow-tool', 'notes__grade']
    const { code } = await toolblocks(folder, 'run', 'Hello.', ...allowed)
    expect(code).toBe(0)
    expect(findSchemas(model.requests[0]).flatMap(findFaults)).toEqual([])
    const [first = '', second, third] = model.results().map((result) => result.replaceAll('\\', ''))
    expect(first).toContain('{"coin":"btc"}')
    expect(second).toContain('{"letter":null}')
    expect(third).toContain('/coin: is required')
  },
)

test('promise broken definitions: tools, mcp list and doctor name the server, the tool and the place, and what is read instead', async () => {
  const folder = makeFolder({
    [SERVER_FILE]: createServerProgram(BROKEN, ECHO),
    '.mcp.json': SERVERS,
    'toolblocks.toml': '',
  })
  const { stdout: listed } = await toolblocks(folder, 'tools')
  expect(listed).toContain('--arg coin= (string, required)')
  expect(listed).not.toContain('--arg required=')
  for (const args of [['tools'], ['mcp', 'list'], ['doctor']]) {
    const { stdout, stderr } = await toolblocks(folder, ...args)
    const output = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ')
    expect(output, args.join(' ')).toContain('notes')
    expect(output, args.join(' ')).toContain(
      '/0/inputSchema/properties/required: The schema of the tool "price" is wrong: the list "required" is among the properties: it is read as the list beside them.',
    )
    expect(output, args.join(' ')).toContain(
      '/1/inputSchema/properties/letter/anyOf/1/enum: The schema of the tool "grade" is wrong:',
    )
  }
})

/** All definitions of the recorded servers. */
function readRecorded(): readonly JsonObject[] {
  const folder = new URL('../../packages/mcp-bridge/recordings/', import.meta.url)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json.gz'))
    .flatMap((file) => {
      const text = gunzipSync(readFileSync(new URL(file, folder))).toString('utf8')
      const { exchanges } = JSON.parse(text) as {
        exchanges: { result: { tools?: JsonObject[] } }[]
      }
      return exchanges.flatMap(({ result }) => result.tools ?? [])
    })
}

/** Replaces the value at the place with that number, counted through the whole value. */
function replaceAt(value: unknown, position: number, replacement: unknown): unknown {
  let left = position
  const visit = (part: unknown): unknown => {
    if (left-- === 0) return replacement
    if (Array.isArray(part)) return part.map(visit)
    if (!isJsonObject(part)) return part
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, visit(each)]))
  }
  return visit(value)
}

function countPlaces(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, each) => sum + countPlaces(each), 1)
}

test.for(providers)(
  'promise broken definitions: %s receives only valid schemas of 257 recorded tools and of 500 with a random mistake',
  { timeout: 120_000 },
  async (provider) => {
    const recorded = readRecorded()
    const mistake = fc.oneof(
      fc.constantFrom<unknown>(null, true, 'string', 'Object', [], ['a'], [1], {}, -1, '(?i)a'),
      fc.record({ type: fc.constantFrom('null', 'text', 'any'), enum: fc.constant(['A', 'B']) }),
      fc.constant({ $ref: '#/nowhere' }),
      fc.jsonValue(),
    )
    const choice = fc.tuple(
      fc.nat(recorded.length - 1),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      mistake,
    )
    const broken = fc
      .sample(choice, { seed: 41, numRuns: 500 })
      .map(([index, fraction, value], count) => {
        const { inputSchema } = recorded[index] ?? {}
        // The schema itself stays an object: anything else is omitted from the list.
        const position = 1 + Math.floor(fraction * (countPlaces(inputSchema) - 1))
        return { name: `broken_${count}`, inputSchema: replaceAt(inputSchema, position, value) }
      })
    const whole = recorded.map(({ inputSchema }, count) => ({
      name: `whole_${count}`,
      inputSchema,
    }))
    expect(whole).toHaveLength(257)
    const model = await startProvider([{ text: 'Hello.' }], provider)
    const folder = makeFolder({
      [SERVER_FILE]: createServerProgram([...whole, ...broken], ECHO),
      '.mcp.json': SERVERS,
      'toolblocks.toml': `${model.settings}\n[tool_search]\ndefer_above = 1000\n`,
    })
    const { code, stderr } = await toolblocks(folder, 'run', 'Hello.')
    expect(code, stderr.slice(-500)).toBe(0)
    const schemas = findSchemas(model.requests[0])
    expect(schemas.length).toBeGreaterThanOrEqual(757)
    expect(schemas.flatMap(findFaults)).toEqual([])
  },
)
