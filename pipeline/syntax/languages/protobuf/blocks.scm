; Protocol Buffers: logic blocks

(extend) @block.block
