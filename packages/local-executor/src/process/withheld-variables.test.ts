import { expect, test } from 'vitest'
import { makeContext, makeTool, makeWorkspace } from '../workspace.support.ts'
import { findWithheld } from './withheld-variables.ts'

const host = { GITHUB_TOKEN: 'a', API_KEY: 'b', EDITOR: 'c', PATH: '/bin', HOME_DIR: 'd' }

test.for([
  ['GITHUB_TOKEN is not set', ['GITHUB_TOKEN']],
  ['export API_KEY=… and "GITHUB_TOKEN"', ['API_KEY', 'GITHUB_TOKEN']],
  ['no $EDITOR, no ${EDITOR}', ['EDITOR']],
  ['EDITOR', []],
  ['PATH is $PATH, $HOME_DIR', []],
  ['MY_GITHUB_TOKEN, GITHUB_TOKENS, OTHER_KEY', []],
] as const)('%s names the variables %j that were not passed on', ([text, expected]) => {
  const passed = { PATH: '/bin', HOME_DIR: 'd' }
  expect(findWithheld(text, { host, passed })).toEqual(expected)
})

test.for([
  ['an error on standard error', 'echo "GITHUB_TOKEN is required" >&2; exit 1'],
  ['an error on standard output', 'echo "GITHUB_TOKEN is required"; exit 1'],
  [
    'a result that is an error',
    `echo '{"content":[{"type":"text","text":"no GITHUB_TOKEN"}],"isError":true}'`,
  ],
] as const)(
  '%s that names a variable says that it was not passed on, and how to pass it',
  async ([, line]) => {
    const { root, script } = makeWorkspace()
    const command = script('tool', line)
    const tool = makeTool(command, {}, { environment: host })
    const call = { id: 'c', name: 'probe', arguments: {} }
    const { metadata } = await tool.execute(call, makeContext(root))
    expect(metadata?.warnings).toContainEqual({
      path: '',
      message:
        'The output names GITHUB_TOKEN, a variable that is set here and was not passed on. If the program needs it, add env = ["GITHUB_TOKEN"].',
    })
    const passing = makeTool(command, { env: ['GITHUB_TOKEN'] }, { environment: host })
    const result = await passing.execute(call, makeContext(root))
    expect(result.metadata?.warnings ?? []).toEqual([])
  },
)

test('a tool that succeeds may name what it likes', async () => {
  const { root, script } = makeWorkspace()
  const tool = makeTool(script('tool', 'echo GITHUB_TOKEN'), {}, { environment: host })
  const result = await tool.execute({ id: 'c', name: 'probe', arguments: {} }, makeContext(root))
  expect(result.metadata?.warnings ?? []).toEqual([])
})
