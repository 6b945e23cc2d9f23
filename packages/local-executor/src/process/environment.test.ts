import { expect, test } from 'vitest'
import { toolEnvironment } from './environment.ts'

const none = { env: [], setEnv: {} }

test('the usual names, LC_* and TOOL_* pass; tokens, loader switches and everything else do not', () => {
  const host = {
    HOME: '/home/me',
    LC_TIME: 'C',
    TOOL_COLOR: 'never',
    API_TOKEN: 'secret',
    NODE_OPTIONS: '--require x',
    LD_PRELOAD: '/x.so',
    GIT_DIR: '/x',
    BASH_ENV: '/x',
    HOMES: 'no',
    LC: 'no',
  }
  expect(toolEnvironment(host, none, 'posix')).toEqual({
    HOME: '/home/me',
    LC_TIME: 'C',
    TOOL_COLOR: 'never',
  })
})

test('a definition lets more names pass, also by prefix, and sets its own', () => {
  const host = { AWS_REGION: 'eu', AWS_KEY: 'k', GH_TOKEN: 't', GH_TOKENS: 'no', LANG: 'C' }
  const rules = { env: ['AWS_*', 'GH_TOKEN'], setEnv: { LANG: 'de', MODE: 'x' } }
  expect(toolEnvironment(host, rules, 'posix')).toEqual({
    AWS_REGION: 'eu',
    AWS_KEY: 'k',
    GH_TOKEN: 't',
    LANG: 'de',
    MODE: 'x',
  })
})

test('PATH loses what would search the working directory, also where a definition sets it', () => {
  expect(toolEnvironment({ PATH: ':/usr/bin::.:bin:../x:/bin:' }, none, 'posix')).toEqual({
    PATH: '/usr/bin:/bin',
  })
  expect(toolEnvironment({}, { env: [], setEnv: { PATH: '.:/opt' } }, 'posix')).toEqual({
    PATH: '/opt',
  })
})

test('variables without a value and names like __proto__ are harmless', () => {
  const host = { TZ: undefined, ...JSON.parse('{"__proto__": "x", "constructor": "y"}') }
  expect(toolEnvironment(host, none, 'posix')).toEqual({})
})

test('the usual names pass everywhere, and by a name only whole names', () => {
  const usual = 'PATH HOME USER LOGNAME LANG LC_ALL TZ TMPDIR TERM SHELL TOOL_X'.split(' ')
  const host = Object.fromEntries(usual.map((name) => [name, '/x']))
  const others = Object.fromEntries(usual.map((name) => [`X${name}`, '/x']))
  for (const system of ['posix', 'windows'] as const)
    expect(toolEnvironment({ ...host, ...others }, none, system)).toEqual(host)
})

test('on Windows, what starts and finds programs passes, and PATH is cleaned by either name', () => {
  const needed =
    'PATHEXT SystemRoot SystemDrive windir ComSpec TEMP TMP USERPROFILE USERNAME HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA'
  const host = Object.fromEntries(needed.split(' ').map((name) => [name, 'x']))
  expect(toolEnvironment(host, none, 'windows')).toEqual(host)
  expect(toolEnvironment(host, none, 'posix')).toEqual({})
  const path = { Path: '.:/bin', PATH: undefined }
  expect(toolEnvironment(path, none, 'windows')).toEqual({ Path: '.:/bin', PATH: '/bin' })
  const set = { env: ['Path'], setEnv: {} }
  expect(toolEnvironment({ Path: '.:/bin' }, set, 'posix')).toEqual({ Path: '.:/bin' })
})

test('the names that programs on Windows need are passed there only', () => {
  const host = {
    Path: 'C:\\bin',
    SystemRoot: 'C:\\Windows',
    APPDATA: 'x',
    TEMP: 'y',
    HOME: '/home/me',
  }
  expect(toolEnvironment(host, none, 'posix')).toEqual({ HOME: '/home/me' })
  expect(toolEnvironment(host, none, 'windows')).toMatchObject({
    SystemRoot: 'C:\\Windows',
    TEMP: 'y',
  })
})
