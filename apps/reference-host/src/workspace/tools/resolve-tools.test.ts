import type { ToolDescription } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { parseConfiguration } from '../configuration/parse-configuration.ts'
import type { Describe } from './describe-tools.ts'
import { resolveTools, type ResolvedTools } from './resolve-tools.ts'

async function resolve(
  text: string,
  tools: readonly ToolDescription[],
  only?: readonly string[],
): Promise<ResolvedTools & { asked: number }> {
  const parsed = await parseConfiguration(text, '/w/toolblocks.toml')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  let asked = 0
  const describe: Describe = async () => {
    asked += 1
    return { ok: true, tools, warnings: [], unusable: {} }
  }
  const resolved = await resolveTools(parsed.configuration, {
    describe,
    ...(only && { only }),
  })
  return { ...resolved, asked }
}

const LIVE: ToolDescription = { name: 'a', stateful: true, actions: ['spawn', 'abort'] }
const A = '[tools.a]\nsource = "local"\ncommand = "./a"\n'

test('the description of a tool decides whether it is stateful, and the configuration may override it', async () => {
  const [described] = (await resolve(A, [LIVE])).tools
  expect(described?.tool).toMatchObject({ actions: ['spawn', 'abort'] })
  expect(described?.tool.spawn).toBeDefined()
  const [configured] = (await resolve(`${A}stateful = false\n`, [LIVE])).tools
  expect(configured?.tool.spawn).toBeUndefined()
})

test('annotations and the schema of results come from the tool', async () => {
  const fields = { annotations: { readOnlyHint: true }, outputSchema: { type: 'object' } }
  const [tool] = (await resolve(A, [{ name: 'a', ...fields }])).tools
  expect(tool?.tool).toMatchObject(fields)
})

test('with parameters a program is not asked, unless it is said', async () => {
  expect((await resolve(`${A}parameters = {}`, [])).asked).toBe(0)
  expect((await resolve(`${A}describe = true\nparameters = {}`, [{ name: 'a' }])).asked).toBe(1)
})

test('only programs of named tools are asked', async () => {
  const both = `${A}[tools.b]\nsource = "local"\ncommand = "./b"\n`
  const { tools, asked } = await resolve(both, [{ name: 'b' }], ['b'])
  expect([tools.map(({ tool }) => tool.name), asked]).toEqual([['b'], 1])
})

test('a placeholder for an argument that the program does not describe makes the tool unavailable', async () => {
  const command = A.replace('"./a"', '["./a", "{{tool.arguments.pat}}"]')
  const description = { name: 'a', parameters: { path: { type: 'string' } } }
  const { tools, left, problems } = await resolve(command, [description])
  expect([tools, problems]).toEqual([[], []])
  expect(left).toMatchObject([{ tool: 'a', reason: 'undescribed' }])
  expect(left[0]?.message).toContain('did you mean "path"?')
})

test('the table of an executable shapes its tool, and what does not fit it is a problem of the table', async () => {
  const described = {
    name: 'a',
    parameters: { path: { type: 'string' }, n: { type: 'integer', required: false } },
  }
  const shaped = `${A}fixed = { path = "x" }\nhidden = ["n"]\nselect = ["items"]\n`
  const [tool] = (await resolve(shaped, [described])).tools
  expect(tool).toMatchObject({
    tool: { inputSchema: { properties: {} } },
    described: { inputSchema: { required: ['path'] } },
    shape: { fixed: { path: 'x' }, hidden: ['n'], select: ['/items'] },
  })
  const unfit = await resolve(shaped.replace('path', 'pth'), [described])
  expect(unfit.left).toMatchObject([{ tool: 'a', path: ['tools', 'a', 'fixed', 'pth'] }])
  const own = `${A}parameters = { n = { type = "integer" } }\nfixed = { n = "many" }\n`
  expect((await resolve(own, [])).problems).toMatchObject([{ path: ['tools', 'a', 'fixed', 'n'] }])
})
