import SwiftUI

/// Departures of one quay, or the empty state.
struct TimetableView: View {
    let timetable: Timetable?

    var body: some View {
        guard let timetable, !timetable.departures.isEmpty else {
            return AnyView(Text(Strings.noDepartures))
        }
        return AnyView(List(timetable.departures) { Text($0.label) })
    }
}
