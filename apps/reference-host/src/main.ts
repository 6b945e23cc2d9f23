#!/usr/bin/env node
import { EXIT } from './process/exit-codes.ts'
import { isOlder, readOwnPackage } from './process/own-package.ts'

// Nothing else may be loaded here: an older Node would fail on it before it is told, and --version would wait for it.
const { version, node } = readOwnPackage()
const args = process.argv.slice(2)
if (isOlder(process.versions.node, node)) {
  process.stderr.write(`toolblocks needs Node ${node} or newer; this is ${process.version}\n`)
  process.exitCode = EXIT.usage
} else if (args.length === 1 && (args[0] === '--version' || args[0] === '-V'))
  process.stdout.write(`${version}\n`)
else {
  const { keepCompiledCode } = await import('./process/keep-compiled-code.ts')
  keepCompiledCode()
  const { runCommand } = await import('./cli/run-command.ts')
  await runCommand(args, version)
}
