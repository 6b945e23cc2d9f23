import fc from 'fast-check'

// Every broken line is held against every law that runs through it: each gets a part of a second, not all its runs.
fc.configureGlobal({ interruptAfterTimeLimit: 250 })
