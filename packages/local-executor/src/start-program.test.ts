import { chmodSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { spawn } from '@lydell/node-pty'
import type { ProgramPlan, StartedProgram } from '@toolblocks/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startProgram } from './start-program.ts'
import { eventually, isRunning, makeWorkspace, startHost } from './workspace.support.ts'

const isOnWindows = process.platform === 'win32'
const isOffLinux = process.platform !== 'linux'

async function start(plan: Partial<ProgramPlan> & { cwd: string }): Promise<StartedProgram> {
  const started = await startProgram({ ...PLAN, ...plan })
  if (!started.ok) throw new Error(started.message)
  onTestFinished(async () => await started.program.kill())
  return started.program
}

const PLAN = { program: 'sh', args: [], env: {}, inherits: 'usual', streams: 'pipes' } as const

/** Returns all of a program's output, and how it ended. */
async function getOutput(program: StartedProgram): Promise<readonly [string, number | string]> {
  const chunks: Uint8Array[] = []
  program.onStdout((chunk) => void chunks.push(chunk))
  program.onStderr((chunk) => void chunks.push(chunk))
  await program.closed
  program.release()
  return [Buffer.concat(chunks).toString(), (await program.exited).code]
}

test('a program with pipes reads and writes, and reports how it ended', async () => {
  const { root } = makeWorkspace()
  const program = await start({
    args: ['-c', 'read x; echo "got $x"; echo why >&2; exit 3'],
    cwd: root,
  })
  const output = getOutput(program)
  await program.write('one\n')
  program.endInput()
  expect(await output).toEqual(['got one\nwhy\n', 3])
  // No reader is left: that is not an error, and nothing waits.
  await program.write('two\n')
})

test('a program in the working folder is not started by its bare name, with any PATH', async () => {
  const workspace = makeWorkspace()
  const { root } = workspace
  workspace.script('own-program', 'echo taken')
  for (const path of ['.', '', `:${process.env['PATH']}`, relative(process.cwd(), root)]) {
    for (const inherits of ['usual', 'nothing'] as const) {
      for (const streams of ['pipes', 'none'] as const) {
        const plan = { ...PLAN, cwd: root, env: { PATH: path }, inherits, streams }
        const started = await startProgram({ ...plan, program: 'own-program' })
        expect(started).toMatchObject({
          ok: false,
          message: expect.stringContaining('There is no program "own-program" in PATH'),
        })
      }
    }
  }
  const program = await start({ program: './own-program', cwd: root })
  expect(await getOutput(program)).toEqual(['taken\n', 0])
})

test('with the usual variables of the host it gets no token, and what proxies and authorities need', async () => {
  const { root } = makeWorkspace()
  vi.stubEnv('MY_TOKEN', 'secret')
  vi.stubEnv('HTTPS_PROXY', 'http://proxy:3128')
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '/ca.pem')
  onTestFinished(() => void vi.unstubAllEnvs())
  const print = { program: 'env', cwd: root, env: { LEVEL: 'debug' } }
  const [usual] = await getOutput(await start(print))
  expect(usual).not.toContain('secret')
  for (const line of [
    'HTTPS_PROXY=http://proxy:3128',
    'NODE_EXTRA_CA_CERTS=/ca.pem',
    'LEVEL=debug',
  ])
    expect(usual.split('\n')).toContain(line)
  const env = { PATH: process.env['PATH'], LEVEL: 'debug' }
  const [variables] = await getOutput(await start({ ...print, env, inherits: 'nothing' }))
  expect(variables.split('\n').map((line) => line.split('=')[0])).toEqual(
    expect.arrayContaining(['PATH', 'LEVEL', 'TOOL_RUN_ID']),
  )
  expect(variables).not.toContain('HTTPS_PROXY')
})

test.for([
  ['is not there', { program: 'no-such-program' }, /There is no program "no-such-program" in PATH/],
  ['is not executable', { program: './data' }, /data is not executable: chmod \+x it/],
  ['has an interpreter that is not there', { program: './lost' }, /the interpreter \/no\/such/],
  ['has no working folder', { cwd: '/no/such/folder' }, /\/no\/such\/folder is not a directory/],
] as const)('a program that %s gives the reason', async ([, plan, message]) => {
  const { root } = makeWorkspace()
  writeFileSync(join(root, 'data'), '')
  writeFileSync(join(root, 'lost'), '#!/no/such\n')
  chmodSync(join(root, 'lost'), 0o755)
  for (const streams of ['pipes', 'terminal', 'none'] as const) {
    const started = await startProgram({ ...PLAN, cwd: root, streams, ...plan })
    expect(started).toMatchObject({ ok: false, message: expect.stringMatching(message) })
  }
})

/** Two processes: the program and, in its own group, another that holds none of its streams. */
const TWO = `setsid sh -c 'echo $$ > left; exec sleep 60' > /dev/null 2>&1 & echo $$ > own; exec sleep 60`

test.skipIf(isOffLinux)(
  'killing one also kills processes that left its process group',
  async () => {
    const { root, read } = makeWorkspace()
    const program = await start({ args: ['-c', TWO], cwd: root })
    const pids = (): number[] => ['own', 'left'].map((name) => Number(read(name) ?? 0))
    expect(await eventually(() => pids().every((pid) => pid > 0))).toBe(true)
    await program.kill()
    expect((await program.exited).code).toBe('SIGKILL')
    expect(await eventually(() => !pids().some(isRunning))).toBe(true)
  },
)

const DOOR = new URL('start-program.ts', import.meta.url).href

/** Starts a program in a separate host process. */
const startIn = (streams: ProgramPlan['streams'], script: string): string => `
  await startProgram({ program: 'sh', args: ['-c', ${JSON.stringify(script)}], cwd: context.root,
    env: {}, inherits: 'usual', streams: '${streams}' })`

test.skipIf(isOffLinux)(
  'when the host is killed, a program with pipes and its processes outside the group are gone, and one without pipes continues',
  async () => {
    const { root, read } = makeWorkspace()
    const alone = 'echo $$ > alone; exec sleep 60'
    const host = startHost(
      root,
      `const { startProgram } = await import('${DOOR}')
      ${startIn('none', alone)}
      ${startIn('pipes', TWO)}`,
    )
    const pids = (): number[] => ['own', 'left', 'alone'].map((name) => Number(read(name) ?? 0))
    expect(await eventually(() => pids().every((pid) => pid > 0))).toBe(true)
    const [own = 0, left = 0, other = 0] = pids()
    onTestFinished(() => void process.kill(other, 'SIGKILL'))
    host.kill('SIGKILL')
    expect(await eventually(() => ![own, left].some(isRunning))).toBe(true)
    expect(isRunning(other)).toBe(true)
  },
)

test.skipIf(isOnWindows)(
  'a program at the terminal reads typed text in the foreground, and Ctrl-C reaches it',
  async () => {
    const { root } = makeWorkspace()
    // The first program reads a line; the second waits for Ctrl-C, which the host survives.
    const read = 'test -t 0 && test -t 1 && read line && echo "read $line"'
    const wait = 'trap "echo interrupted; exit 7" INT; echo waiting; while :; do sleep 0.05; done'
    const file = join(root, 'host.mjs')
    writeFileSync(
      file,
      `import { startProgram } from '${DOOR}'
      process.on('SIGINT', () => {})
      for (const script of ${JSON.stringify([read, wait])}) {
        const { program } = await startProgram({ program: 'sh', args: ['-c', script], cwd: process.cwd(),
          env: process.env, inherits: 'nothing', streams: 'terminal' })
        console.log(\`ended \${(await program.exited).code}\`)
      }`,
    )
    const pty = spawn(process.execPath, [file], { cwd: root, env: process.env })
    let screen = ''
    pty.onData((data) => (screen += data))
    const over = new Promise((resolve) => pty.onExit(resolve))
    pty.write('hello\r')
    expect(await eventually(() => screen.includes('read hello'))).toBe(true)
    expect(await eventually(() => screen.includes('waiting'))).toBe(true)
    pty.write('\u0003')
    await over
    expect(screen).toContain('interrupted')
    expect(screen.match(/ended \d+/g)).toEqual(['ended 0', 'ended 7'])
  },
)

test('one without pipes is ended by its process id, and nothing is written to it', async () => {
  const { root, read } = makeWorkspace()
  const script = 'trap "echo asked > asked" TERM; echo $$ > pid; while :; do sleep 0.05; done'
  const program = await start({ args: ['-c', script], cwd: root, streams: 'none' })
  await program.write('nobody reads')
  program.endInput()
  expect(await eventually(() => Number(read('pid')) === program.pid)).toBe(true)
  program.terminate()
  expect(await eventually(() => read('asked') !== undefined)).toBe(true)
  await program.kill()
  expect((await program.exited).code).toBe('SIGKILL')
})
