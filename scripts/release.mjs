// Publishes all packages: pnpm release. Refuses as long as the address of the repository is a placeholder, or a changeset waits for a version.
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execaSync } from 'execa'

const root = resolve(import.meta.dirname, '..')
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const changesets = readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md'))

const problems = [
  ...(repository.url.includes('/OWNER/')
    ? [
        `package.json: repository is the placeholder ${repository.url}. Write the address of the repository into repository, homepage and bugs, then run: pnpm manifests`,
      ]
    : []),
  ...(changesets.length > 0
    ? [
        `.changeset: ${changesets.length} ${changesets.length === 1 ? 'change has' : 'changes have'} no version yet. Run: pnpm version-packages`,
      ]
    : []),
]
if (problems.length > 0) {
  console.error(problems.map((problem) => `error: ${problem}`).join('\n'))
  process.exit(1)
}

const run = (command, ...args) => execaSync(command, args, { cwd: root, stdio: 'inherit' })
run(process.execPath, 'scripts/clean-builds.mjs')
run('turbo', 'run', 'build', '--force')
run('changeset', 'publish')
