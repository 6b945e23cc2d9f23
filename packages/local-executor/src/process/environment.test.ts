import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { toolEnvironment, USUAL } from './environment.ts'

const none = { env: [], setEnv: {} }

test('the usual names, LC_* and TOOL_* are passed on; tokens, loader settings and all others are not', () => {
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

test('a definition passes more names on, also by prefix, and sets its own', () => {
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

test('elements of PATH that would search the working directory are removed, also if a definition sets PATH', () => {
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

test('variables of proxies and private certificate authorities are passed on; those that disable checks, load code or name sockets are not', () => {
  const needed = {
    HTTPS_PROXY: 'http://proxy:3128',
    https_proxy: 'http://proxy:3128',
    NO_PROXY: 'localhost',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    SSL_CERT_FILE: '/ca.pem',
    REQUESTS_CA_BUNDLE: '/ca.pem',
    GIT_SSL_CAINFO: '/ca.pem',
    XDG_CONFIG_HOME: '/home/me/config',
  }
  const not = {
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    GIT_SSL_NO_VERIFY: '1',
    NODE_OPTIONS: '--require x',
    PYTHONPATH: '/x',
    LD_LIBRARY_PATH: '/x',
    XDG_RUNTIME_DIR: '/run/user/1',
    SSH_AUTH_SOCK: '/x',
    FTP_PROXY: 'x',
  }
  expect(toolEnvironment({ ...needed, ...not }, none, 'posix')).toEqual(needed)
})

/** Returns the names in backticks in the table under a heading of a page. */
function namesUnder(page: string, heading: string): readonly string[] {
  const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8')
  const [, rest = ''] = text.split(`\n${heading}\n`)
  const [section = ''] = rest.split(/\n#+ /)
  return [...section.matchAll(/^\|.*$/gm)].flatMap(([line]) =>
    [...line.matchAll(/`([A-Za-z_]+\*?)`/g)].map(([, name = '']) => name),
  )
}

test('docs/configuration.md lists exactly the variables that are passed on', () => {
  const listed = namesUnder('configuration.md', '## What programs get of your environment')
  expect(listed.toSorted()).toEqual(USUAL.toSorted())
})

test('the usual names are passed on every system, and a name matches only completely', () => {
  const usual = USUAL.map((name) => name.replace('*', 'X'))
  const host = Object.fromEntries(usual.map((name) => [name, '/x']))
  const others = Object.fromEntries(usual.map((name) => [`X${name}`, '/x']))
  for (const system of ['posix', 'windows'] as const)
    expect(toolEnvironment({ ...host, ...others }, none, system)).toEqual(host)
})

test('on Windows, variables for starting and finding programs are passed on, and PATH is cleaned in both spellings', () => {
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

test('the names that programs on Windows need are passed on only there', () => {
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
