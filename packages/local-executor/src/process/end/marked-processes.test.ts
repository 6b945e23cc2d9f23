import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { eventually, isRunning } from '../../workspace.suite.ts'
import { findMarked, idsBetween, killMarked } from './marked-processes.ts'

test.for<[string, number, number | undefined, number[]]>([
  ['a few numbers are looked at without reading the list', 10, 13, [11, 12, 13]],
  ['of many, those that exist are', 10, 900, [11, 800, 900]],
  ['behind the greatest number comes the smallest again', 800, 10, [1, 10, 900, 32_000]],
  ['nobody knows the last one: any may be it', 10, undefined, [1, 10, 11, 800, 900, 32_000]],
  ['none was given since', 10, 10, []],
])('%s', ([, first, last, expected]) => {
  expect(idsBetween(first, last, () => [1, 10, 11, 800, 900, 32_000])).toEqual(expected)
})

test.skipIf(process.platform !== 'linux')(
  'what has the mark in its environment is found and killed, and nothing else',
  async () => {
    const start = (mark: string): number => {
      const child = spawn('sleep', ['60'], { env: { MARK: mark }, stdio: 'ignore' })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child.pid ?? 0
    }
    const mark = `${process.pid}-marked`
    const marked = start(mark)
    const other = start(`${process.pid}-other`)
    const found = async (after?: number): Promise<number[]> =>
      (await findMarked(`MARK=${mark}`, after)).map(({ pid }) => pid)
    expect([await found(), await found(process.pid)]).toEqual([[marked], [marked]])
    await killMarked(`MARK=${mark}`)
    expect(await eventually(() => !isRunning(marked))).toBe(true)
    expect(isRunning(other)).toBe(true)
  },
)
