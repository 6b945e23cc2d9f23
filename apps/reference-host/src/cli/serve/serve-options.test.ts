import { describe, expect, test } from 'vitest'
import { findMisplaced, getServerWords } from './serve-options.ts'

test('the entry of a host has each option of the servers', () => {
  expect(
    getServerWords({
      server: ['a=npx a', 'https://b.example'],
      protocolVersion: 'auto',
      header: ['X: 1', 'Y: 2'],
      env: ['A', 'B=1'],
      timeout: 3,
      startWait: 4,
      policy: ['read=ask', 'write=deny'],
      select: ['read=a', 'read=b'],
      fix: ['read.x=1'],
      hide: ['read.y'],
      rename: ['read=r'],
      describe: ['read=Reads.'],
      pin: false,
      record: false,
      maskSecrets: true,
      maxResult: 500,
      deferAbove: Infinity,
    }),
  ).toEqual(
    [
      ['--server', 'a=npx a', '--server', 'https://b.example'],
      ['--header', 'X: 1', '--header', 'Y: 2'],
      ['--env', 'A', '--env', 'B=1'],
      ['--policy', 'read=ask', '--policy', 'write=deny'],
      ['--select', 'read=a', '--select', 'read=b', '--fix', 'read.x=1', '--hide', 'read.y'],
      ['--rename', 'read=r', '--describe', 'read=Reads.'],
      ['--protocol-version', 'auto', '--timeout', '3', '--start-wait', '4'],
      ['--max-result', '500', '--defer-above', 'all'],
      ['--no-pin', '--no-record', '--mask-secrets'],
    ].flat(),
  )
  expect(getServerWords({ server: ['npx a'], pin: true, record: true })).toEqual([
    '--server',
    'npx a',
  ])
  expect(getServerWords({ timeout: 3, pin: false })).toEqual([])
})

describe('refused is', () => {
  test.for([
    [{ share: true, server: ['a'] }, '--share needs --server and --http'],
    [{ share: false, http: 1 }, '--no-share needs --server and --http'],
    [{ server: ['a'], config: 'b' }, '--server cannot be combined with programs or --config'],
    [
      { server: ['a'], record: false, maskSecrets: true },
      '--mask-secrets cannot be combined with --no-record',
    ],
    [{ protocolVersion: 'auto' }, '--protocol-version needs --server'],
    [{ header: ['X: 1'] }, '--header needs --server'],
    [{ env: ['A'] }, '--env needs --server'],
    [{ timeout: 1 }, '--timeout needs --server'],
    [{ policy: ['a=ask'] }, '--policy needs --server'],
    [{ select: ['a=b'] }, '--select needs --server'],
    [{ fix: ['a.b=1'] }, '--fix needs --server'],
    [{ hide: ['a.b'] }, '--hide needs --server'],
    [{ rename: ['a=b'] }, '--rename needs --server'],
    [{ describe: ['a=b'] }, '--describe needs --server'],
    [{ accept: true }, '--accept needs --server'],
    [{ maskSecrets: true }, '--mask-secrets needs --server'],
    [{ pin: false }, '--no-pin needs --server'],
    [{ record: false }, '--no-record needs --server'],
  ] as const)('%j', ([options, why]) => {
    expect(findMisplaced([], options)).toContain(why)
  })

  test('a program beside servers, but no option with its servers', () => {
    expect(findMisplaced(['sort'], { server: ['a'] })).toContain('cannot be combined with programs')
    expect(findMisplaced(['sort'], { http: 1 })).toBeUndefined()
    const complete = { server: ['a'], http: 1, share: true, timeout: 1, pin: false, record: false }
    expect(findMisplaced([], complete)).toBeUndefined()
  })
})
