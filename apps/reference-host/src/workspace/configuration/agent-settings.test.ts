import { expect, test } from 'vitest'
import { questionExpiry } from './agent-settings.ts'

test('questions expire after the time of their tool, otherwise after that of all tools, otherwise never', () => {
  const local = { source: 'local', command: 'true' } as const
  const tables = {
    tools: { own: { ...local, questions_expire_secs: 0.5 }, other: local },
    mcp: {
      servers: {},
      tools: { remote: { source: 'mcp.s.t', server: 's', tool: 't', questions_expire_secs: 7 } },
    },
  }
  const find = questionExpiry({ ...tables, questions: { expire_secs: 60 } })
  expect(['own', 'remote', 'other', 'toString'].map(find)).toEqual([500, 7000, 60_000, 60_000])
  expect(questionExpiry(tables)('other')).toBeUndefined()
})
