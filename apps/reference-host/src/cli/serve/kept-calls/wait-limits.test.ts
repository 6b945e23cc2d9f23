import { HOST_PROFILES } from '@toolblocks/mcp-bridge/server'
import { expect, test } from 'vitest'
import { getWaitLimits } from './wait-limits.ts'

const DEFAULT = { results: 'host', answerWithinMs: undefined } as const

test('a host with a time limit gets an answer before it, and an unknown client waits for calls, not for people', () => {
  expect(getWaitLimits({ name: 'opencode' }, DEFAULT)).toEqual({
    runningMs: 48_000,
    waitingMs: 48_000,
  })
  expect(getWaitLimits({ name: 'claude-code' }, DEFAULT)).toEqual({
    runningMs: Infinity,
    waitingMs: 300_000,
  })
  expect(getWaitLimits({ name: 'unheard of' }, DEFAULT)).toEqual({
    runningMs: Infinity,
    waitingMs: 45_000,
  })
})

test('the limit of the command line, and the host that it names, count for every client', () => {
  const answerWithinMs = 2000
  expect(getWaitLimits({ name: 'opencode' }, { ...DEFAULT, answerWithinMs })).toEqual({
    runningMs: 2000,
    waitingMs: 2000,
  })
  const results = HOST_PROFILES.find(({ name }) => name === '@mastra/mcp') ?? 'host'
  expect(getWaitLimits({ name: 'mine' }, { results, answerWithinMs: undefined })).toMatchObject({
    runningMs: 48_000,
  })
})
