; JavaScript alone: no blocks beyond those in common with TypeScript
