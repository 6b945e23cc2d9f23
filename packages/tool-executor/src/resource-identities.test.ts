import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ContentBlock } from '@toolblocks/protocol'
import { identifyResources } from './finish-result.ts'

const sha256 = (value: string | Buffer): string => createHash('sha256').update(value).digest('hex')
const text: ContentBlock = { type: 'text', text: 'x' }

function resource(
  uri: string,
  content: { text: string } | { blob: string },
  formatted?: string,
): ContentBlock {
  return { type: 'resource', resource: { uri, ...content }, ...(formatted && { formatted }) }
}

test('a resource is named by its canonical URI and the hash of its text', () => {
  expect(identifyResources([resource('file:///w/./a.rs', { text: 'é' })], '/w')).toEqual({
    resources: [{ uri: 'file:///w/a.rs', sha256: sha256('é'), bytes: 2 }],
    problems: [],
  })
})

test('a blob is hashed by its bytes', () => {
  const bytes = Buffer.from([0, 1, 255])
  const { resources } = identifyResources(
    [resource('demo://1', { blob: bytes.toString('base64') })],
    '/w',
  )
  expect(resources).toEqual([{ uri: 'demo://1', sha256: sha256(bytes), bytes: 3 }])
})

test('formatting is not part of the identity: its hash is separate', () => {
  const [plain] = identifyResources([resource('file:///a', { text: 'x' })], '/').resources ?? []
  const { resources } = identifyResources([resource('file:///a', { text: 'x' }, '1: x')], '/')
  expect(resources).toEqual([{ ...plain, formatted: sha256('1: x') }])
})

test('identities are at the index of their block', () => {
  const { resources } = identifyResources([text, resource('file:///a', { text: 'x' }), text], '/')
  expect(resources?.map((identity) => identity?.uri ?? null)).toEqual([null, 'file:///a', null])
})

test('a result without resources has no list of identities', () => {
  expect(identifyResources([text], '/')).toEqual({ problems: [] })
})

test('a URI without canonical form has no identity, and one problem that names the place', () => {
  const { resources, problems } = identifyResources([text, resource('file:a', { text: 'x' })], '/')
  expect(resources).toEqual([null, null])
  expect(problems).toEqual([
    {
      path: '/content/1/resource/uri',
      message: 'the path is relative; give an absolute one, as in file:///a/b',
      code: 'relative',
      got: '"file:a"',
    },
  ])
})
