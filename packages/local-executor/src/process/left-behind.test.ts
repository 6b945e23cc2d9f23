import { expect, test } from 'vitest'
import {
  eventually,
  execute,
  isRunning,
  makeContext,
  makeTool,
  makeWorkspace,
} from '../workspace.suite.ts'

// Only Linux has the program setsid, and /proc to find what it has started.
const isOffLinux = process.platform !== 'linux'

/** Starts a process in a group of its own that holds nothing, and ends once that runs. */
const DETACHED = `setsid sh -c 'echo $$ > pid; exec sleep 30' >/dev/null 2>&1 & until [ -s pid ]; do sleep 0.01; done; echo done`

test.skipIf(isOffLinux)(
  'a process that left the group and goes on is named in a warning, and goes on',
  async () => {
    const { root, read } = makeWorkspace()
    for (const program of [
      DETACHED,
      `rm pid; ${DETACHED}; exit 3`,
      `rm pid; sleep 1.1; ${DETACHED}`,
    ]) {
      const result = await execute(makeTool({ program, shell: true }), makeContext(root))
      const pid = Number(read('pid'))
      expect(isRunning(pid)).toBe(true)
      process.kill(pid, 'SIGKILL')
      expect(result.metadata?.warnings).toEqual([
        {
          path: '',
          code: 'processes-left-behind',
          message: expect.stringMatching(
            new RegExp(`goes on: "(?:sleep|sh)" \\(process ${pid}\\)\\. .*left_behind to "stop"`),
          ),
        },
      ])
    }
  },
)

test.skipIf(isOffLinux)(
  'with leftBehind "stop" it is killed, and the warning says so',
  async () => {
    const { root, read } = makeWorkspace()
    const result = await execute(
      makeTool({ program: DETACHED, shell: true }, { leftBehind: 'stop' }),
      makeContext(root),
    )
    expect(result).toMatchObject({
      isError: false,
      metadata: {
        warnings: [
          {
            code: 'processes-left-behind',
            message: expect.stringMatching(/went on and was killed/),
          },
        ],
      },
    })
    expect(await eventually(() => !isRunning(Number(read('pid'))))).toBe(true)
  },
)

test.skipIf(isOffLinux)('a process of many threads is named once', async () => {
  const { root, read } = makeWorkspace()
  const program = `setTimeout(() => {}, 30_000); require("fs").writeFileSync("pid", String(process.pid))`
  const start = `setsid "$1" -e '${program}' >/dev/null 2>&1 & until [ -s pid ]; do sleep 0.01; done`
  const command = { program: start, args: [process.execPath], shell: true }
  const result = await execute(makeTool(command), makeContext(root))
  process.kill(Number(read('pid')), 'SIGKILL')
  expect(result.metadata?.warnings?.[0]?.message.match(/\(process \d+\)/g)).toHaveLength(1)
})
