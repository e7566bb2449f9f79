"""The static model as an ONNX graph over the same table file, and the check that both agree.

The graph's two initialisers are external data inside table.i8, so that nothing is stored twice.
Inputs: input_ids int64 [fields, tokens], attention_mask int64 [fields, tokens], field_weights float32
[fields]; output: sentence_embedding float32 [dims]. A query is one field of weight 1.
"""

import os
import sys

import numpy as np

from common import FIELDS, Static, words

HEADER = 16  # of table.i8
TOLERANCE = 1e-5


def write(folder, rows, dims):
    import onnx
    from onnx import TensorProto, helper

    def external(name, kind, shape, offset, length):
        tensor = TensorProto(name=name, data_type=kind, dims=shape, data_location=TensorProto.EXTERNAL)
        for key, value in (("location", "table.i8"), ("offset", offset), ("length", length)):
            tensor.external_data.add(key=key, value=str(value))
        return tensor

    def constant(name, kind, value):
        return helper.make_tensor(name, kind, [1], [value])

    nodes = [
        helper.make_node("Gather", ["values", "input_ids"], ["rows_i8"]),
        helper.make_node("Cast", ["rows_i8"], ["rows"], to=TensorProto.FLOAT),
        helper.make_node("Gather", ["scales", "input_ids"], ["token_scales"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["token_scales", "mask"], ["token_weights"]),
        helper.make_node("Unsqueeze", ["token_weights", "last"], ["token_weights_3d"]),
        helper.make_node("Mul", ["rows", "token_weights_3d"], ["weighted"]),
        helper.make_node("ReduceSum", ["weighted", "one"], ["sums"], keepdims=0),
        helper.make_node("ReduceL2", ["sums"], ["sum_norms"], axes=[1], keepdims=1),
        helper.make_node("Max", ["sum_norms", "tiny"], ["safe_norms"]),
        helper.make_node("Div", ["sums", "safe_norms"], ["field_vectors"]),
        helper.make_node("Unsqueeze", ["field_weights", "last"], ["field_weights_2d"]),
        helper.make_node("Mul", ["field_vectors", "field_weights_2d"], ["weighted_fields"]),
        helper.make_node("ReduceSum", ["weighted_fields", "zero"], ["total"], keepdims=0),
        helper.make_node("ReduceL2", ["total"], ["total_norm"], axes=[0], keepdims=1),
        helper.make_node("Max", ["total_norm", "tiny"], ["safe_total"]),
        helper.make_node("Div", ["total", "safe_total"], ["sentence_embedding"]),
    ]
    graph = helper.make_graph(
        nodes, "sextant-static",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["fields", "tokens"]),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["fields", "tokens"]),
            helper.make_tensor_value_info("field_weights", TensorProto.FLOAT, ["fields"]),
        ],
        [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, [dims])],
        [
            external("values", TensorProto.INT8, [rows, dims], HEADER + 4 * rows, rows * dims),
            external("scales", TensorProto.FLOAT, [rows], HEADER, 4 * rows),
            constant("last", TensorProto.INT64, -1), constant("one", TensorProto.INT64, 1),
            constant("zero", TensorProto.INT64, 0), constant("tiny", TensorProto.FLOAT, 1e-12),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="sextant")
    model.ir_version = 8
    path = os.path.join(folder, "model.onnx")
    with open(path, "wb") as f:
        f.write(model.SerializeToString(deterministic=True))
    onnx.checker.check_model(path)


class Graph:
    """model.onnx with ONNX Runtime; tokens and field weights as in model.json."""

    def __init__(self, folder):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.static = Static(folder)
        self.session = onnxruntime.InferenceSession(
            os.path.join(folder, "model.onnx"), options, providers=["CPUExecutionProvider"]
        )

    def fields(self, texts, weights):
        ids = [self.static.ids(words(t)) for t in texts]
        longest = max([1] + [len(i) for i in ids])
        tokens, mask = np.zeros((2, len(ids), longest), dtype=np.int64)
        for i, row in enumerate(ids):
            tokens[i, : len(row)] = row
            mask[i, : len(row)] = 1
        feed = {"input_ids": tokens, "attention_mask": mask, "field_weights": np.array(weights, dtype=np.float32)}
        return self.session.run(["sentence_embedding"], feed)[0]

    def query(self, text):
        return self.fields([text], [1.0])

    def passage(self, passage):
        return self.fields([passage.get(f, "") for f in FIELDS], [self.static.weights[f] for f in FIELDS])


def check(static, graph, passages, queries):
    """Ends the run unless graph and plain evaluation agree."""
    worst = 0.0
    for text in queries:
        worst = max(worst, float(np.abs(graph.query(text) - static.query(text)).max()))
    for passage in passages:
        plain = static.passage({f: words(passage.get(f, "")) for f in FIELDS})
        worst = max(worst, float(np.abs(graph.passage(passage) - plain).max()))
    if worst > TOLERANCE:
        sys.exit(f"train-encoder: the ONNX graph is off by {worst}")
    print(f"ONNX graph and table agree within {worst:.1e}")

