// What the conformance suite of MCP looks at as a server: node server.ts, which prints its address. Ends with its input.
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult } from '@toolblocks/protocol'

type Ask = (id: string, text: string, name: string) => Promise<string>

/** The tools that the suite wants, by name: what each says. */
const TOOLS: Record<string, (ask: Ask) => Promise<string>> = {
  test_simple_text: async () => 'This is a simple text response for testing.',
  test_input_required_result_elicitation: async (ask) =>
    `Hello, ${await ask('user_name', 'What is your name?', 'name')}!`,
  test_input_required_result_request_state: async (ask) =>
    `state-ok: ${await ask('confirm', 'Please confirm', 'ok')}`,
  test_input_required_result_tampered_state: async (ask) =>
    await ask('confirm', 'Please confirm', 'ok'),
  test_input_required_result_multi_round: async (ask) => {
    const name = await ask('step1', 'Step 1: What is your name?', 'name')
    return `${name}: ${await ask('step2', 'Step 2: What is your favorite color?', 'color')}`
  },
}

const served = await serveHttp(
  {
    name: 'conformance',
    version: '1',
    root: process.cwd(),
    definitions: () =>
      Object.keys(TOOLS).map((name) => ({
        name,
        description: `Is there for the scenario of its name: ${name}.`,
        inputSchema: { type: 'object', properties: {} },
      })),
    callTool: async (call, { ask, signal }) => {
      const put: Ask = async (id, text, name) => {
        const type = name === 'ok' ? 'boolean' : 'string'
        const schema = { type: 'object', properties: { [name]: { type } }, required: [name] }
        const source = { kind: 'question', call } as const
        return JSON.stringify(
          await ask?.user?.({ id, text, schema }, { blocks: [], source, signal }),
        )
      }
      const text = (await TOOLS[call.name]?.(put)) ?? ''
      return createSuccessResult([{ type: 'text', text }])
    },
  },
  { port: 0 },
)
process.stdout.write(`${served.url}\n`)
process.stdin.on('end', () => void served.close({ graceMs: 0 })).resume()
