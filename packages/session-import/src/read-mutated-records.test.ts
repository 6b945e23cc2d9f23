import { FORMAT_NAMES, openStore } from '@toolblocks/conversation-store'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIXTURES } from './fixtures.support.ts'
import { importConversation, readConversations } from './import-conversation.ts'
import { SAMPLES } from './samples.support.ts'
import { getLines, getSource } from './sources/make-source.support.ts'

/** Generates a record in which one field, at any depth, has another value. */
function anyChange(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return fc.jsonValue({ maxDepth: 2 })
  const keys = Object.keys(value)
  if (keys.length === 0) return fc.jsonValue({ maxDepth: 2 })
  return fc.constantFrom(...keys).chain((key) =>
    fc.oneof(fc.jsonValue({ maxDepth: 2 }), anyChange(Reflect.get(value, key))).map((changed) => {
      const copy = structuredClone(value)
      Reflect.set(copy, key, changed)
      return copy
    }),
  )
}

test.for(SAMPLES)(
  '$format $path: records with any values are read, counted in two ways with the same result, and stored',
  async (sample) => {
    const source = getSource(sample.text, { path: sample.path })
    const [whole] = readConversations(source)
    const records = (whole?.events ?? []).flatMap(({ original }) =>
      original ? [JSON.parse(Buffer.from(original).toString()) as object] : [],
    )
    const isLines = sample.path.endsWith('.jsonl')
    const samples =
      records.length > 0 ? records : [{ seq: 1, event: { type: 'turn_start', turn: 1 } }]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples).chain(anyChange), async (changed) => {
        const all = [...samples, changed]
        const text = isLines ? getLines(all) : JSON.stringify(all)
        const [read, ...others] = readConversations(getSource(text, { path: sample.path }), {
          from: sample.format,
        })
        if (!read || others.length > 0) throw new Error('expected one conversation')
        const store = await openStore('memory:')
        expect((await importConversation(store, read)).after).toEqual(read.before)
        await store.close()
      }),
      { numRuns: 60 },
    )
  },
)

const JSON_FIXTURES = FIXTURES.filter(({ path }) => /\.jsonl?$/.test(path))

test.for(JSON_FIXTURES)(
  '$name: a record with any value in a field is read, counted in two ways with the same result, and stored',
  async ({ path, format }) => {
    const text = readFileSync(path, 'utf8')
    const isLines = path.endsWith('.jsonl')
    const values: readonly unknown[] = isLines
      ? text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown)
      : [JSON.parse(text)]
    const from = FORMAT_NAMES.find((name) => name === format)
    if (!from) throw new Error(`expected a format, got ${format}`)
    const changes = fc
      .nat({ max: values.length - 1 })
      .chain((index) =>
        anyChange(values[index]).map((changed) => values.toSpliced(index, 1, changed)),
      )
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const written = isLines ? getLines(changed) : JSON.stringify(changed[0])
        const store = await openStore('memory:')
        for (const read of readConversations(getSource(written, { path }), { from })) {
          const { after, problems } = await importConversation(store, read)
          expect([after, problems]).toEqual([read.before, []])
        }
        await store.close()
      }),
      { numRuns: 60 },
    )
  },
)
