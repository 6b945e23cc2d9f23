import type { ParameterDefinition } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { parameterFacts } from './parameter-facts.ts'

test.for<[ParameterDefinition, string]>([
  [{}, 'any, required'],
  [{ type: 'string' }, 'string, required'],
  [{ type: 'string', required: false }, 'string, optional'],
  [{ type: ['string', 'null'] }, 'string or null, optional'],
  [{ type: ['string', 'null'], required: true }, 'string or null, required'],
  [{ type: 'integer', default: 3, required: true }, 'integer, default 3'],
  [{ enum: ['a', 1, null] }, '"a" | 1 | null, required'],
])('%j is told as "%s"', ([parameter, told]) => {
  expect(parameterFacts(parameter)).toBe(told)
})
