// Tries to make one check of @toolblocks/schema-check slow or large: every attack runs in a process of its own, which
// prepares the schema and checks the value once. Says the verdict, the milliseconds of the thread, and the memory above
// that of the value; ends with 1 where one takes more than a second or 512 MB: node scripts/attack-schema-check.mjs
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileSchema } from '../packages/schema-check/src/index.ts'

const cpu = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))
const named = (count, make) => Object.fromEntries(times(count, (index) => [`p${index}`, make(index)]))
const text = (length, of = 'ab') => {
  let state = 1
  let made = ''
  for (let index = 0; index < length; index++) {
    state = (state * 1103515245 + 12345) % 2147483648
    made += of[Math.floor(state / 65536) % of.length]
  }
  return made
}
const nest = (depth, make, leaf) => {
  let value = leaf
  for (let index = 0; index < depth; index++) value = make(value)
  return value
}
const doubling = (levels, end) => ({
  $ref: '#/$defs/d0',
  $defs: {
    ...Object.fromEntries(
      times(levels, (level) => [
        `d${level}`,
        { anyOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
      ]),
    ),
    [`d${levels}`]: end,
  },
})
const row = (index) => ({
  id: index,
  name: `row ${index}`,
  email: `user${index}@example.com`,
  tags: ['a', 'b'],
  at: '2026-11-21T10:00:00Z',
  kind: 'file',
  size: { width: index, height: 3 },
})
const rowSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 0 },
    name: { type: 'string', pattern: '^row \\d+$', maxLength: 80 },
    email: { type: 'string', format: 'email' },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true },
    at: { type: 'string', format: 'date-time' },
    kind: { anyOf: [{ const: 'file' }, { const: 'folder' }] },
    size: { $ref: '#/$defs/size' },
  },
  required: ['id', 'name'],
  additionalProperties: false,
}
const sizeDefs = { size: { type: 'object', properties: { width: { type: 'number' } } } }

/** What must be checked, however large: `valid` is expected. */
const ORDINARY = {
  '60,000 rows (10 MB) under an ordinary schema': [
    { type: 'array', items: rowSchema, $defs: sizeDefs },
    () => times(60_000, row),
  ],
  'a text of 5 MB with a length and a short pattern': [
    { type: 'string', maxLength: 10_000_000, pattern: '^[a-z]+$' },
    () => text(5_000_000),
  ],
  'an enum of 1,000 for 900,000 values': [
    { items: { enum: times(1000, (index) => `value ${index}`) } },
    () => times(900_000, (index) => `value ${index % 1000}`),
  ],
  'a million numbers that all differ': [
    { type: 'array', items: { type: 'number' }, uniqueItems: true },
    () => times(999_999, (index) => index),
  ],
  '4,096 subschemas': [
    { properties: named(2000, () => ({ items: { type: 'string' } })) },
    () => named(2000, () => ['a']),
  ],
  'a tree of 250,000 nodes with a recursive reference': [
    {
      $ref: '#/$defs/node',
      $defs: {
        node: { properties: { children: { items: { $ref: '#/$defs/node' } } }, required: ['name'] },
      },
    },
    () =>
      nest(12, (node) => ({ name: 'n', children: [node, { name: 'l' }, ...times(20_000, () => ({ name: 'l' }))] }), {
        name: 'end',
      }),
  ],
}

const ATTACKS = {
  'required of 10,000 names for 20,000 items': [
    { items: { required: times(10_000, (index) => `p${index}`) } },
    () => times(20_000, () => ({})),
  ],
  'required of 10,000 names for 9 items': [
    { items: { required: times(10_000, (index) => `p${index}`) } },
    () => times(9, () => ({})),
  ],
  'errors for a million values': [{ items: { type: 'string' } }, () => times(999_999, () => 1)],
  'an enum of 1,000 objects for 200,000 objects': [
    { items: { enum: times(1000, (index) => ({ index })) } },
    () => times(200_000, (index) => ({ index })),
  ],
  'an enum of long texts': [
    { items: { enum: times(20, (index) => `${'x'.repeat(10_000)}${index}`) } },
    () => times(500, () => `${'x'.repeat(10_000)}?`),
  ],
  'a counted class on 5 MB': [{ pattern: '[a-b]{1,500}[?!]' }, () => text(5_000_000)],
  'an anchored counted class on 5 MB': [{ pattern: '^[a-b]{1,900}$' }, () => text(5_000_000)],
  'a counted class on 60,000 characters': [{ pattern: 'a.{400}[?!]' }, () => text(60_000)],
  'a counted class up to the bound': [{ pattern: 'a.{400}[?!]' }, () => text(56_000)],
  'a small pattern of many states on 5 MB': [{ pattern: 'a[ab]{8}[?!]' }, () => text(5_000_000)],
  'a pattern of 30 steps on 680 KB': [{ pattern: 'a[ab]{27}[?!]' }, () => text(680_000)],
  'fifty patterns of 30 steps': [
    { allOf: times(50, (index) => ({ pattern: `a[ab]{${25 + (index % 5)}}[?!${index}]` })) },
    () => text(13_000),
  ],
  'an alternation of words': [
    { pattern: `(?:${times(30, (index) => `ab${index}`).join('|')})[?!]` },
    () => text(120_000),
  ],
  'properties of Unicode': [
    { allOf: ['L', 'Lu', 'Script=Greek', 'Emoji', 'Cn', 'Script=Latin', 'Nd'].map((name) => ({ pattern: `\\p{${name}}` })) },
    () => 'x',
  ],
  'five properties of Unicode': [
    { pattern: '\\p{L}\\p{Lu}\\p{Script=Greek}\\p{Cn}' },
    () => text(20_000),
  ],
  'format url on 5 MB': [{ format: 'url' }, () => `http://${':'.repeat(5_000_000)}`],
  'format url up to the bound': [{ format: 'url' }, () => `http://${':'.repeat(15_000)}`],
  'format url, dashes': [{ format: 'url' }, () => `http://${'a-'.repeat(7_000)}`],
  'format regex on 1.4 MB': [{ format: 'regex' }, () => '(a)'.repeat(480_000)],
  'formats on 5 MB': [
    { anyOf: ['email', 'uri', 'uri-reference', 'hostname', 'uri-template'].map((format) => ({ format })) },
    () => 'a.'.repeat(500_000),
  ],
  'format iso-date-time on 5 MB': [{ format: 'iso-date-time' }, () => 't'.repeat(5_000_000)],
  'byte and json-pointer on 5 MB': [
    { allOf: [{ format: 'json-pointer' }, { format: 'byte' }] },
    () => '/AAA'.repeat(800_000),
  ],
  'lengths of a text of 5 MB': [
    { allOf: times(500, (index) => ({ minLength: index })) },
    () => 'x'.repeat(5_000_000),
  ],
  'lengths of a text of 50 KB': [
    { allOf: times(500, (index) => ({ maxLength: index })) },
    () => 'x'.repeat(50_000),
  ],
  'five hundred types for an object of 500,000 names': [
    { allOf: times(500, () => ({ type: 'string' })) },
    () => named(500_000, () => 1),
  ],
  'references that double in place': [doubling(40, { type: 'string' }), () => 1],
  'references that double in place up to the bound': [
    { items: doubling(12, { type: 'string' }), $defs: doubling(12, { type: 'string' }).$defs },
    () => times(300, () => 1),
  ],
  'references that double with every level of the value': [
    { anyOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' } }] },
    () => nest(100, (value) => [value], 1),
  ],
  'a schema and value as deep as they may be': [
    { anyOf: [{ type: 'array', items: { allOf: [{ $ref: '#' }] } }, { type: 'number' }] },
    () => nest(120, (value) => [value], 1),
  ],
  '1,000 references': [
    { properties: named(1000, (index) => ({ $ref: `#/$defs/p${index}` })), $defs: named(1000, () => ({ type: 'string' })) },
    () => named(1000, () => 1),
  ],
  'references to one place, written 7 ways': [
    {
      allOf: ['#/$defs/x', '#/%24defs/x', '#/$def%73/x', '#/$de%66s/x', '#/$d%65fs/x', '#/$%64efs/x', '#/$defs/%78'].map(($ref) => ({ $ref })),
      $defs: { x: { properties: named(1000, () => ({ type: 'string' })) } },
    },
    () => ({}),
  ],
  'references to every level of a deep schema': [
    (() => {
      const paths = times(14, (level) => `#${'/properties/a'.repeat(level)}`)
      const inner = { properties: named(500, () => ({ type: 'string' })) }
      return {
        ...nest(14, (schema) => ({ properties: { a: schema } }), inner),
        $defs: { all: { items: { allOf: paths.map(($ref) => ({ $ref })) } } },
      }
    })(),
    () => ({}),
  ],
  'oneOf of 500 for 5,000 items': [
    { items: { oneOf: times(500, (index) => ({ const: index })) } },
    () => times(5000, (index) => index),
  ],
  'anyOf of 500 objects for many items': [
    { items: { anyOf: times(500, (index) => ({ properties: { kind: { const: index } }, required: ['a'] })) } },
    () => times(2000, (index) => ({ kind: index })),
  ],
  'anyOf of 500 that all fail': [
    { items: { anyOf: times(500, (index) => ({ required: [`p${index}`] })) } },
    () => times(10, () => ({})),
  ],
  '500 patterns for names': [
    { patternProperties: Object.fromEntries(times(500, (index) => [`^p${index}$`, { type: 'string' }])) },
    () => named(3000, () => 1),
  ],
  'a pattern for a million names': [
    { propertyNames: { pattern: '^p[0-9]+$' }, additionalProperties: { type: 'number' } },
    () => named(900_000, () => 1),
  ],
  '440,000 names of one object': [
    { additionalProperties: { type: 'number' }, minProperties: 2 },
    () => named(440_000, () => 1),
  ],
  'items compared, nested': [
    { uniqueItems: true, items: { $ref: '#' } },
    () => nest(100, (value) => [value, ...times(5000, (index) => ({ index }))], 1),
  ],
  'items compared: 140,000 objects': [
    { uniqueItems: true },
    () => times(140_000, (index) => ({ index, name: `n${index}` })),
  ],
  'const of a large value': [
    { items: { const: times(10_000, (index) => index) } },
    () => times(90, () => times(10_000, (index) => index)),
  ],
  'evaluated names, many schemas': [
    { allOf: times(100, () => ({ anyOf: [{ properties: { a: {} } }, true] })), unevaluatedProperties: { type: 'number' } },
    () => named(30_000, () => 1),
  ],
  'evaluated names of patterns': [
    { anyOf: times(100, (index) => ({ patternProperties: { [`^p${index}`]: true } })), unevaluatedProperties: false },
    () => named(4_000, () => 1),
  ],
  '4,096 properties': [
    { properties: named(4000, () => ({ type: 'string', minLength: 1 })) },
    () => named(4000, () => 1),
  ],
  'a document of 256 KB of values': [{ default: times(26_000, () => 0) }, () => 1],
  'a document of 900 enums': [
    { properties: named(900, (index) => ({ enum: times(25, (value) => value + index) })) },
    () => named(1000, () => -1),
  ],
  'long names in 4,000 subschemas': [
    { anyOf: times(500, (index) => ({ title: 'x'.repeat(300), properties: named(6, () => ({ type: 'null', title: 'y' })), minProperties: index })) },
    () => named(6, () => 1),
  ],
}

const all = { ...ORDINARY, ...ATTACKS }
const [only] = process.argv.slice(2)
if (only === undefined) {
  const failures = Object.keys(all).filter((name) => !report(name))
  process.exitCode = failures.length > 0 ? 1 : 0
} else {
  const [schema, makeValue] = all[only]
  compileSchema({ type: 'object' })
  const value = makeValue()
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const start = cpu()
  const compiled = compileSchema(schema)
  const prepared = cpu()
  const { verdict, problems } = compiled.ok ? compiled.check(value) : { verdict: 'no schema', problems: compiled.problems }
  const end = cpu()
  const memory = process.resourceUsage().maxRSS / 1024 - before / 2 ** 20
  console.log(
    JSON.stringify({ verdict, prepare: prepared - start, all: end - start, memory, problem: problems[0]?.message }),
  )
}

function report(name) {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', fileURLToPath(import.meta.url), name],
    { encoding: 'utf8' },
  )
  const line = stdout.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) {
    console.log(`${name}: died\n${stderr.slice(0, 500)}`)
    return false
  }
  const { verdict, prepare, all: total, memory, problem } = JSON.parse(line)
  const isKept = total <= 1000 && memory <= 512 && (!(name in ORDINARY) || verdict === 'valid')
  const figures = `${total.toFixed(0)} ms (${prepare.toFixed(0)} to prepare), ${Math.max(0, memory).toFixed(0)} MB`
  console.log(`${isKept ? 'ok ' : 'BAD'} ${name}: ${verdict}, ${figures}${problem ? `; ${problem.slice(0, 90)}` : ''}`)
  return isKept
}
