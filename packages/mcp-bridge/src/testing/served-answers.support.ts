// Serves the tool `answer` of the odd server, through the bridge, in every protocol version. Started by scripts: node served-answers.support.ts
import { fileURLToPath } from 'node:url'
import { startProgram } from '@toolblocks/local-executor'
import { connectServer } from '../connect-server.ts'
import { serveStdio } from '../serve-stdio.ts'

const odd = fileURLToPath(new URL('odd-server.support.ts', import.meta.url))
const transport = { kind: 'stdio', command: process.execPath, args: [odd, 'plain'] } as const
const server = await connectServer({ name: 'odd', transport }, {}, { startProgram })
const tool = server.tools().find(({ name }) => name === 'odd__answer')
if (!tool) throw new Error('the odd server has no tool "answer"')

const served = await serveStdio({
  name: 'served',
  version: '1',
  root: process.cwd(),
  definitions: () => [{ name: 'answer', inputSchema: { type: 'object' } }],
  callTool: async (call, { signal, root }) =>
    await tool.execute({ ...call, name: tool.name }, { signal, root, answers: {} }),
})
await served.closed
await server.close()
