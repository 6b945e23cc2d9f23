import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NO_TRUST, visit, withoutTrust } from '../stage/command.ts'
import { HOSTILE_FOLDERS, setTrap } from './hostile-folders.support.ts'

// A value that a hostile folder would send.
Object.assign(process.env, { SECRET_TOKEN: 'a secret' })

test('promise nothing without a yes: a typed name of a tool sends no variable to its server before the person has seen and agreed to it', async () => {
  const { 'a server that is sent a variable': header } = HOSTILE_FOLDERS
  const { 'a server beside the configuration that is sent a variable': address } = HOSTILE_FOLDERS
  const environment = { ...NO_TRUST, SECRET_TOKEN: 'a secret' }
  const trap = await setTrap([header, address].filter((each) => each !== undefined))
  for (const name of ['h17__x', 'h18__x']) {
    const { code, stderr } = await withoutTrust(trap.folder, 'call', name)
    expect([code, stderr]).toEqual([3, expect.stringContaining('you have not agreed to it')])
    const { written } = await visit(
      trap.folder,
      ['call', name],
      [[/SECRET_TOKEN[^]*Do you agree to this\?[^]*No/, '\r']],
      { environment },
    )
    expect(written).toContain('you have not agreed to it')
  }
  expect(trap.connections()).toBe(0)
  const agreed = await visit(
    trap.folder,
    ['call', 'h17__x'],
    [[/Do you agree to this\?[^]*No/, 'y\r']],
    { environment },
  )
  expect(trap.connections(), agreed.written).toBeGreaterThan(0)
}, 60_000)

test('promise nothing without a yes: a typed name of a tool starts no program with a variable before the person has seen and agreed to it', async () => {
  const { 'a server that is started with a variable': server } = HOSTILE_FOLDERS
  const { 'a tool that is started with a variable': tool } = HOSTILE_FOLDERS
  const environment = { ...NO_TRUST, SECRET_TOKEN: 'a secret' }
  const trap = await setTrap([server, tool].filter((each) => each !== undefined))
  const before = trap.readFiles()
  const asked = /SECRET_[^]*Do you agree to this\?[^]*No/
  for (const name of ['h22__x', 'h23']) {
    const { code, stderr } = await withoutTrust(trap.folder, 'call', name)
    expect([code, stderr]).toEqual([3, expect.stringContaining('you have not agreed to it')])
    const refused = await visit(trap.folder, ['call', name], [[asked, '\r']], { environment })
    expect(refused.written).toContain('you have not agreed to it')
  }
  expect(trap.readFiles()).toEqual(before)
  for (const name of ['h22__x', 'h23']) {
    const agreed = await visit(trap.folder, ['call', name], [[asked, 'y\r']], { environment })
    expect(existsSync(join(trap.outside, name.slice(0, 3))), agreed.written).toBe(true)
  }
}, 60_000)
