import { expect, test } from 'vitest'
import { describeMissingPeer } from './missing-peer.ts'

const names = { entry: '@toolblocks/tool-sdk/typebox', peer: 'typebox' }
const missing = (specifier: string): Error =>
  Object.assign(new Error(`Cannot find package '${specifier}' imported from /a/b.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })

test('a missing optional peer is named, with the command to install it', () => {
  const cause = missing('typebox')
  expect(describeMissingPeer(cause, names)).toMatchObject({
    code: 'ERR_MODULE_NOT_FOUND',
    message: '@toolblocks/tool-sdk/typebox needs typebox, an optional peer: npm install typebox',
    cause,
  })
})

test.for([
  ['of another module', missing('typebox-2')],
  ['of the peer that is no missing module', new Error("'typebox' is broken")],
  ['of the peer with another code', Object.assign(missing('typebox'), { code: 'EACCES' })],
  ['that is no error', 'typebox'],
  ['that is nothing', null],
  ['that only looks like one', { code: 'ERR_MODULE_NOT_FOUND', message: "'typebox'" }],
])('a failure %s is unchanged', ([, cause]) => {
  expect(describeMissingPeer(cause, names)).toBe(cause)
})
