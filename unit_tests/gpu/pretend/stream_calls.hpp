// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls about streams, captures and events. Included only by runtime.cpp.
#pragma once

#include <gpu/pretend/state.hpp>

extern "C" {

CALL(StreamCreate)(SPELLED(Stream_t) * made) {
  return run("StreamCreate", needs::context, [&] { return make_stream(made); });
}
CALL(StreamCreateWithFlags)(SPELLED(Stream_t) * made, unsigned flags) {
  return run("StreamCreateWithFlags", needs::context, [&] { return make_stream(made, flags); });
}
CALL(StreamCreateWithPriority)(SPELLED(Stream_t) * made, unsigned flags, int) {
  return run("StreamCreateWithPriority", needs::context, [&] { return make_stream(made, flags); });
}
CALL(StreamDestroy)(SPELLED(Stream_t) stream) {
  return run_always("StreamDestroy", needs::context, [&]() -> status {
    if (all().streams.count(stream) == 0) return misuse("StreamDestroy", "no such stream");
    if (stream->capture != SPELLED(StreamCaptureStatusNone))
      static_cast<void>(misuse("StreamDestroy", "the stream records a graph"));
    const status error = finish(stream);
    static_cast<void>(destroy("StreamDestroy", all().streams, stream));
    return error;
  });
}
CALL(StreamGetDevice)(SPELLED(Stream_t) given, int* number) {
  return on_stream("StreamGetDevice", given, [&](SPELLED(Stream_t) stream) {
    *number = stream->device;
    return ok;
  });
}
CALL(StreamSynchronize)(SPELLED(Stream_t) given) {
  return on_stream("StreamSynchronize", given, [](SPELLED(Stream_t) stream) {
    if (stream->capture == SPELLED(StreamCaptureStatusNone)) return finish(stream);
    invalidate(stream);
    return SPELLED(ErrorStreamCaptureUnsupported);
  });
}
CALL(StreamQuery)(SPELLED(Stream_t) given) {
  return on_stream("StreamQuery", given, [](SPELLED(Stream_t) stream) {
    if (stream->capture != SPELLED(StreamCaptureStatusNone)) {
      invalidate(stream);
      return SPELLED(ErrorStreamCaptureUnsupported);
    }
    if (!stream->queue.empty()) return SPELLED(ErrorNotReady);
    return finish(stream);
  });
}
CALL(StreamWaitEvent)(SPELLED(Stream_t) given, SPELLED(Event_t) event, unsigned) {
  return on_stream("StreamWaitEvent", given, [&](SPELLED(Stream_t) stream) {
    if (all().events.count(event) == 0) return misuse("StreamWaitEvent", "no such event");
    if (stream->capture != SPELLED(StreamCaptureStatusNone) && !event->captured) {
      invalidate(stream);
      return SPELLED(ErrorStreamCaptureIsolation);
    }
    // The order of the two streams does not matter to this runtime.
    if (!event->reached) static_cast<void>(finish(event->stream));
    return of(stream->device).broken;
  });
}
CALL(StreamBeginCapture)(SPELLED(Stream_t) given, SPELLED(StreamCaptureMode)) {
  return on_stream("StreamBeginCapture", given, [](SPELLED(Stream_t) stream) {
    if (stream->capture != SPELLED(StreamCaptureStatusNone)) return SPELLED(ErrorIllegalState);
    stream->capture = SPELLED(StreamCaptureStatusActive);
    stream->graph = new HPK_PRETEND_GRAPH;
    stream->last_nodes.clear();
    all().graphs.insert(stream->graph);
    return ok;
  });
}
CALL(StreamEndCapture)(SPELLED(Stream_t) given, SPELLED(Graph_t) * made) {
  // Ends the capture even when it reports an error.
  return run_always("StreamEndCapture", needs::context, [&]() -> status {
    *made = nullptr;
    const auto stream = known(given);
    if (stream == nullptr) return misuse("StreamEndCapture", "no such stream");
    if (stream->capture == SPELLED(StreamCaptureStatusNone)) return SPELLED(ErrorIllegalState);
    const capture_state was = std::exchange(stream->capture, SPELLED(StreamCaptureStatusNone));
    if (was == SPELLED(StreamCaptureStatusActive)) {
      *made = std::exchange(stream->graph, nullptr);
      return ok;
    }
    static_cast<void>(
        destroy("StreamEndCapture", all().graphs, std::exchange(stream->graph, nullptr)));
    return SPELLED(ErrorStreamCaptureInvalidated);
  });
}

CALL(EventCreateWithFlags)(SPELLED(Event_t) * made, unsigned flags) {
  return run("EventCreateWithFlags", needs::context, [&] {
    *made = new HPK_PRETEND_EVENT{current, (flags & SPELLED(EventDisableTiming)) == 0};
    all().events.insert(*made);
    return ok;
  });
}
CALL(EventDestroy)(SPELLED(Event_t) event) {
  return run_always("EventDestroy", needs::context, [&]() -> status {
    if (all().events.count(event) != 0 && !event->reached) static_cast<void>(finish(event->stream));
    return destroy("EventDestroy", all().events, event);
  });
}
CALL(EventRecord)(SPELLED(Event_t) event, SPELLED(Stream_t) given) {
  return on_stream("EventRecord", given, [&](SPELLED(Stream_t) stream) {
    if (all().events.count(event) == 0) return misuse("EventRecord", "no such event");
    if (event->device != stream->device)
      return misuse("EventRecord", "event and stream are of different devices");
    event->captured = stream->capture != SPELLED(StreamCaptureStatusNone);
    if (event->captured) return ok;
    event->stream = stream;
    event->reached = false;
    return submit(stream, [event] { event->reached = true; });
  });
}
CALL(EventQuery)(SPELLED(Event_t) event) {
  return run("EventQuery", needs::context, [&]() -> status {
    if (all().events.count(event) == 0) return misuse("EventQuery", "no such event");
    if (event->captured) return SPELLED(ErrorCapturedEvent);
    if (!event->reached) return SPELLED(ErrorNotReady);
    return event->stream == nullptr ? ok : finish_device(event->device);
  });
}
CALL(EventSynchronize)(SPELLED(Event_t) event) {
  return run("EventSynchronize", needs::context, [&]() -> status {
    if (all().events.count(event) == 0) return misuse("EventSynchronize", "no such event");
    if (event->captured) return SPELLED(ErrorCapturedEvent);
    if (event->stream == nullptr) return ok;
    if (!event->reached) static_cast<void>(finish(event->stream));
    return finish_device(event->device);
  });
}
CALL(EventElapsedTime)(float* milliseconds, SPELLED(Event_t) from, SPELLED(Event_t) to) {
  return run("EventElapsedTime", needs::context, [&]() -> status {
    if (all().events.count(from) == 0 || all().events.count(to) == 0)
      return misuse("EventElapsedTime", "no such event");
    if (!from->timed || !to->timed) return SPELLED(ErrorInvalidResourceHandle);
    if (!from->reached || !to->reached) return SPELLED(ErrorNotReady);
    *milliseconds = 1;
    return finish_device(to->device);
  });
}

}  // extern "C"
