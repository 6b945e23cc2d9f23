import { expect, test } from 'vitest'
import { describeFailure } from './failures.ts'

const NAME = { server: 's', tool: 't' }
const deadline = { isOver: false, timeoutMs: 1000 }

test.for([-32_600, -32_601, -32_602] as const)(
  'error %d says that the call was not executed, unless the server has sent a request meanwhile, whose error it may have passed on',
  (code) => {
    const error = { kind: 'error', code, message: 'no' } as const
    const plain = JSON.stringify(describeFailure(NAME, error, deadline))
    const asked = JSON.stringify(describeFailure(NAME, { ...error, hasBegun: true }, deadline))
    expect(plain).toContain('It was not executed.')
    expect(asked).toContain('may still have been executed')
    expect(asked).not.toContain('It was not executed.')
  },
)
