// A tool is a program: a JSON request comes on standard input, the answer goes to standard output.
import { text } from 'node:stream/consumers'

interface Request {
  context: { action: 'schema' | 'run' }
  tool: { arguments: { who: string } }
}

const description = {
  name: 'TOOL_NAME',
  summary: 'Greet somebody.',
  description: 'One line, in English. Change this text, the parameters, and what `run` does.',
  parameters: {
    who: { type: 'string', summary: 'Who is greeted.' },
  },
}

function run({ who }: Request['tool']['arguments']): object {
  return { content: [{ type: 'text', text: `Hello, ${who}!` }] }
}

const { context, tool }: Request = JSON.parse(await text(process.stdin))
const answer = context.action === 'schema' ? { tools: [description] } : run(tool.arguments)
process.stdout.write(JSON.stringify(answer))
