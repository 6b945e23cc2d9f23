import type { TestProject } from 'vitest/node'
import { buildCommand } from './bundle/build-command.ts'

/** Builds the command once for all tests: it starts in half the time that its sources take, hundreds of times in a run of the tests. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('command', await buildCommand('command-of-tests'))
}
